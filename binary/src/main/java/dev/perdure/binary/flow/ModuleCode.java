package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Decoder;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.elf.ElfSymbol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The functions of a module that are understood. Ranges come from .eh_frame, and from symbols where
 * that has none; the code within is swept from its first byte to its last.
 *
 * @param unwind the entries of .eh_frame, ordered by address
 * @param notUnderstood the addresses of functions that hold something that is no known instruction
 */
public record ModuleCode(
    ElfFile elf,
    List<ElfSection> sections,
    List<Function> functions,
    List<UnwindEntry> unwind,
    List<Long> notUnderstood) {
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
    for (ElfSection s : sections) {
      if (s.executable() && s.type() == 1 && !s.name().startsWith(".plt")) {
        ByteBuffer bytes = elf.content(s);
        Decoder decoder = new Decoder(bytes.array(), s.address());
        long limit = s.address() + bytes.limit();
        var ranges = ranges(s, unwind, symbols);
        ranges.keySet().removeAll(builtins);
        for (var range : ranges.entrySet()) {
          sweep(decoder, range.getKey(), Math.min(range.getValue(), limit))
              .ifPresentOrElse(functions::add, () -> notUnderstood.add(range.getKey()));
        }
      }
    }
    return new ModuleCode(
        elf, sections, functions, List.copyOf(unwind.values()), List.copyOf(notUnderstood));
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

  private static Optional<Function> sweep(Decoder decoder, long start, long end) {
    List<Instruction> code = new ArrayList<>();
    long at = start;
    while (at < end) {
      Optional<Instruction> next = decoder.at(at);
      if (next.isEmpty()
          || next.get().end() > end
          || next.get().operation() == Operation.TRANSACTION) {
        return Optional.empty();
      }
      code.add(next.get());
      at = next.get().end();
    }
    return code.isEmpty() ? Optional.empty() : Optional.of(new Function(start, end, code));
  }
}
