package dev.perdure.binary.debug;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSymbol;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What the addresses of an executable or library stand for. An answer is never empty: lines and
 * inline chains from debug information, else a function and an offset from the symbol table, else
 * the module and the address. C++ names may still be mangled.
 */
public final class ModuleSymbols {
  private final String module;
  private final SymbolTable symbols;
  private final Optional<DebugInfo> debugInfo;
  private final Set<String> problems = new LinkedHashSet<>();

  private ModuleSymbols(String module, SymbolTable symbols, Optional<DebugInfo> debugInfo) {
    this.module = module;
    this.symbols = symbols;
    this.debugInfo = debugInfo;
  }

  /** Opens a module; one that cannot be read answers with addresses, and says so. */
  public static ModuleSymbols open(Path path) {
    return open(path, DebugFiles.OF_SYSTEM);
  }

  static ModuleSymbols open(Path path, DebugFiles debugFiles) {
    String name = String.valueOf(path.getFileName());
    try {
      Optional<ElfFile> elf = ElfFile.read(path);
      if (elf.isEmpty()) {
        return unreadable(name, "no ELF file");
      }
      return open(name, new ObjectFile(elf.get()), debugFiles);
    } catch (IOException | UncheckedIOException e) {
      return unreadable(name, e.getMessage());
    }
  }

  private static ModuleSymbols open(String name, ObjectFile file, DebugFiles debugFiles)
      throws IOException {
    List<ElfSymbol> all = new ArrayList<>(file.elf().symbols());
    try {
      Optional<ObjectFile> detached = debugFiles.of(file);
      if (detached.isPresent() && detached.get() != file) {
        all.addAll(detached.get().elf().symbols());
      }
      var table = new SymbolTable(all, file.elf().sections());
      return new ModuleSymbols(
          name,
          table,
          detached.isPresent()
              ? Optional.of(debugInfo(file, detached.get(), debugFiles))
              : Optional.empty());
    } catch (BadDebugInfo | IndexOutOfBoundsException | ArithmeticException e) {
      var table = new SymbolTable(all, file.elf().sections());
      ModuleSymbols symbols = new ModuleSymbols(name, table, Optional.empty());
      symbols.problem(e);
      return symbols;
    }
  }

  private static DebugInfo debugInfo(ObjectFile module, ObjectFile file, DebugFiles debugFiles)
      throws IOException {
    Optional<DwarfFile> shared =
        debugFiles
            .sharedBy(file)
            .map(DwarfSections::of)
            .map(sections -> new DwarfFile(sections, Optional.empty(), Optional.empty()));
    Path path = module.elf().path();
    return new DebugInfo(
        new DwarfFile(DwarfSections.of(file), shared, Optional.empty()),
        new SplitUnits(path, List.of(packageOf(path), packageOf(file.elf().path()))),
        new StraightCode(module.elf()));
  }

  private static Path packageOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".dwp");
  }

  private static ModuleSymbols unreadable(String name, String why) {
    var symbols = new ModuleSymbols(name, new SymbolTable(List.of(), List.of()), Optional.empty());
    symbols.problems.add(name + " cannot be read (" + why + "): its places are addresses");
    return symbols;
  }

  /**
   * The place of an instruction.
   *
   * @param address as the file counts, not as it was loaded
   */
  public Site siteAt(long address) {
    return site(address, info -> info.frames(address, this::symbolAt));
  }

  /** The place of an instruction that accesses memory. */
  public Site accessAt(long address) {
    return site(address, info -> info.accessFrames(address, this::symbolAt));
  }

  private synchronized Site site(long address, Function<DebugInfo, List<Frame>> lookUp) {
    List<Frame> frames = List.of();
    try {
      frames = debugInfo.map(lookUp).orElse(List.of());
    } catch (BadDebugInfo | IndexOutOfBoundsException | ArithmeticException e) {
      problem(e);
    }
    return frames.isEmpty()
        ? new Site(List.of(withoutLines(address)))
        : new Site(frames.stream().map(f -> f.in(module)).toList());
  }

  /** The place of a call, by the address that it returns to. */
  public Site callBefore(long returnAddress) {
    return siteAt(returnAddress - 1);
  }

  /** One sentence for each thing that kept addresses from being lines. */
  public synchronized List<String> problems() {
    return List.copyOf(problems);
  }

  private void problem(RuntimeException e) {
    String what = e instanceof BadDebugInfo ? e.getMessage() : "it is damaged";
    problems.add("the debug information of " + module + " cannot be read in full: " + what);
  }

  private String symbolAt(long address) {
    return symbols
        .at(address)
        .map(SymbolTable::name)
        .orElseGet(() -> Frame.at(module, address).function());
  }

  private Frame withoutLines(long address) {
    return symbols
        .at(address)
        .map(s -> Frame.at(SymbolTable.name(s), module, address - s.address()))
        .orElseGet(() -> Frame.at(module, address));
  }
}
