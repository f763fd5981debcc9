package dev.perdure.binary.debug;

import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.elf.ElfSymbol;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The function that an address lies in, by the symbols of a file. A symbol without a size, as
 * assembler code has them, reaches to the next symbol or to the end of its section.
 */
final class SymbolTable {
  private static final int NO_TYPE = 0;
  private static final int WEAK = 2;

  private final ElfSymbol[] sized;
  private final long[] furthest;
  private final ElfSymbol[] unsized;
  private final List<ElfSection> code;

  SymbolTable(List<ElfSymbol> symbols, List<ElfSection> sections) {
    code = sections.stream().filter(ElfSection::executable).toList();
    sized = sorted(symbols, s -> s.function() && s.size() > 0);
    unsized = sorted(symbols, s -> s.size() == 0 && (s.function() || type(s) == NO_TYPE));
    furthest = new long[sized.length];
    for (int i = 0; i < sized.length; i++) {
      long end = sized[i].address() + sized[i].size();
      furthest[i] = i == 0 ? end : Math.max(end, furthest[i - 1]);
    }
  }

  /** Among symbols of one address, the last is the best: defined for others, with few ornaments. */
  private ElfSymbol[] sorted(List<ElfSymbol> all, java.util.function.Predicate<ElfSymbol> wanted) {
    return all.stream()
        .filter(s -> wanted.test(s) && sectionAt(s.address()).isPresent())
        .sorted(
            Comparator.comparingLong(ElfSymbol::address)
                .thenComparingInt(SymbolTable::rank)
                .thenComparing(s -> -s.name().length())
                .thenComparing(ElfSymbol::name, Comparator.reverseOrder()))
        .toArray(ElfSymbol[]::new);
  }

  private static int type(ElfSymbol symbol) {
    return symbol.info() & 15;
  }

  private static int rank(ElfSymbol symbol) {
    int binding = symbol.info() >> 4;
    return binding == 0 ? 0 : binding == WEAK ? 1 : 2;
  }

  private Optional<ElfSection> sectionAt(long address) {
    return code.stream().filter(s -> s.contains(address)).findFirst();
  }

  /** The symbol whose code has the address. */
  Optional<ElfSymbol> at(long address) {
    int last = lastUpTo(sized, address);
    for (int i = last; i >= 0 && furthest[i] > address; i--) {
      if (address < sized[i].address() + sized[i].size()) {
        return Optional.of(sized[i]);
      }
    }
    int label = lastUpTo(unsized, address);
    return label >= 0 && (last < 0 || sized[last].address() < unsized[label].address())
        ? Optional.of(unsized[label]).filter(s -> sectionAt(address).equals(sectionAt(s.address())))
        : Optional.empty();
  }

  private static int lastUpTo(ElfSymbol[] symbols, long address) {
    int low = 0;
    int high = symbols.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (symbols[middle].address() <= address) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** A symbol's name without its version. */
  static String name(ElfSymbol symbol) {
    int version = symbol.name().indexOf('@');
    return version > 0 ? symbol.name().substring(0, version) : symbol.name();
  }
}
