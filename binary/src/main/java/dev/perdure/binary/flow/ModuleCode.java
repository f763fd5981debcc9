package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.elf.ElfSymbol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The functions of a module that are understood. Ranges come from .eh_frame, and from symbols where
 * that has none; the code within is swept from its first byte to its last. What these functions
 * call or jump to outside of all ranges, as subroutines in assembly, is functions, too.
 *
 * @param unwind the entries of .eh_frame, ordered by address
 * @param notUnderstood the addresses of functions that hold something that is no known instruction
 * @param code what else there is where code is
 */
public record ModuleCode(
    ElfFile elf,
    List<ElfSection> sections,
    List<Function> functions,
    List<UnwindEntry> unwind,
    List<Long> notUnderstood,
    List<CodeSection> code) {
  private static final Pattern V8_CODE = Pattern.compile("v8_\\w+_embedded_blob_code_");

  public static ModuleCode read(ElfFile elf) throws IOException {
    List<ElfSection> sections = elf.sections();
    TreeMap<Long, UnwindEntry> unwind = new TreeMap<>();
    for (ElfSection s : sections) {
      if (s.name().equals(".eh_frame")) {
        for (UnwindEntry e : EhFrame.read(elf.content(s), s.address())) {
          unwind.put(e.start(), e);
        }
      }
    }
    List<ElfSymbol> symbols = elf.symbols();
    Set<Long> builtins = builtinsOfV8(symbols);
    List<Function> functions = new ArrayList<>();
    List<Long> notUnderstood = new ArrayList<>(builtins.stream().limit(1).toList());
    List<CodeSection> code = new ArrayList<>();
    for (ElfSection s : sections) {
      if (s.executable() && s.type() == 1 && !s.name().startsWith(".plt")) {
        CodeSection section = new CodeSection(elf, s);
        code.add(section);
        ranges(s, unwind, symbols)
            .forEach(
                (from, to) -> {
                  if (builtins.contains(from)) {
                    section.leaveAlone(from, to);
                  } else {
                    section
                        .function(from, to)
                        .ifPresentOrElse(functions::add, () -> notUnderstood.add(from));
                  }
                });
      }
    }
    addCalled(code, functions);
    return new ModuleCode(
        elf, sections, functions, List.copyOf(unwind.values()), List.copyOf(notUnderstood), code);
  }

  /**
   * Adds the functions that are known only because something leads to them, one after the other.
   */
  private static void addCalled(List<CodeSection> code, List<Function> functions) {
    for (int i = 0; i < functions.size(); i++) {
      for (Instruction x : functions.get(i).code()) {
        if (x.operation().relative()) {
          code.forEach(s -> s.functionAt(x.target()).ifPresent(functions::add));
        }
      }
    }
  }

  /**
   * The code that V8 brings along for its own machine, in rising order. V8 enters it at distances
   * that only its own tables have, and may copy it elsewhere: it is left as it is.
   */
  private static Set<Long> builtinsOfV8(List<ElfSymbol> symbols) {
    if (symbols.stream().noneMatch(s -> V8_CODE.matcher(s.name()).matches())) {
      return Set.of();
    }
    return symbols.stream()
        .filter(s -> s.function() && s.name().startsWith("Builtins_"))
        .map(ElfSymbol::address)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Where exceptions continue, for all instructions that may throw some. */
  public List<CallSite> callSites() throws IOException {
    List<CallSite> sites = new ArrayList<>();
    for (ElfSection s : sections) {
      if (s.name().equals(".gcc_except_table")) {
        ByteBuffer table = elf.content(s);
        for (UnwindEntry e : unwind) {
          if (e.languageData() != 0) {
            LandingPads.visit(table, s.address(), e, sites::add);
          }
        }
      }
    }
    return sites;
  }

  /** Start and end of each function in a section. */
  private static TreeMap<Long, Long> ranges(
      ElfSection section, TreeMap<Long, UnwindEntry> unwind, List<ElfSymbol> symbols) {
    TreeMap<Long, Long> ranges = new TreeMap<>();
    for (UnwindEntry e : unwind.values()) {
      if (section.contains(e.start()) && e.length() > 0) {
        ranges.put(e.start(), e.start() + e.length());
      }
    }
    for (ElfSymbol s : symbols) {
      if (s.function() && s.size() > 0 && section.contains(s.address())) {
        var below = ranges.floorEntry(s.address());
        var above = ranges.ceilingEntry(s.address());
        boolean free =
            (below == null || below.getValue() <= s.address())
                && (above == null || above.getKey() >= s.address() + s.size());
        if (free) {
          ranges.put(s.address(), s.address() + s.size());
        }
      }
    }
    return ranges;
  }
}
