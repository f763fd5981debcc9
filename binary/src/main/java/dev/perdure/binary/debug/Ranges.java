package dev.perdure.binary.debug;

import java.util.Arrays;

/**
 * The addresses of a piece of code: pairs of begin and end. Code that the linker has dropped, which
 * it marks by impossible addresses, is left out.
 */
final class Ranges {
  static final Ranges NONE = new Ranges(new long[0]);

  private static final int END = 0;
  private static final int BASE_INDEX = 1;
  private static final int INDEX_INDEX = 2;
  private static final int INDEX_LENGTH = 3;
  private static final int OFFSET_PAIR = 4;
  private static final int BASE_ADDRESS = 5;
  private static final int BEGIN_END = 6;
  private static final int BEGIN_LENGTH = 7;

  private final long[] pairs;

  private Ranges(long[] pairs) {
    this.pairs = pairs;
  }

  static Ranges of(long begin, long end) {
    var pairs = new Builder();
    pairs.add(begin, end);
    return pairs.build();
  }

  /** A list of {@code .debug_rnglists} or, before DWARF 5, of {@code .debug_ranges}. */
  static Ranges ofList(Unit unit, int form, long value) {
    return unit.header().version() >= 5 ? ofNewList(unit, form, value) : ofOldList(unit, value);
  }

  private static Ranges ofOldList(Unit unit, long value) {
    var in = new Cursor(unit.oldRanges(), unit.oldRangesBase() + value);
    var pairs = new Builder();
    long base = unit.lowAddress();
    while (true) {
      long begin = in.u64();
      long end = in.u64();
      if (begin == 0 && end == 0) {
        return pairs.build();
      }
      if (begin == -1) {
        base = end;
      } else {
        pairs.add(base + begin, base + end);
      }
    }
  }

  private static Ranges ofNewList(Unit unit, int form, long value) {
    long offset = value;
    if (form == Form.RNGLISTX) {
      long base = unit.rangeListsBase();
      var index = new Cursor(unit.sections().rnglists(), base + value * unit.header().offsetSize());
      offset = base + index.offset(unit.header().wide());
    }
    var in = new Cursor(unit.sections().rnglists(), offset);
    var pairs = new Builder();
    long base = unit.lowAddress();
    while (true) {
      int kind = in.u8();
      switch (kind) {
        case END -> {
          return pairs.build();
        }
        case BASE_INDEX -> base = unit.indexedAddress(in.uleb());
        case INDEX_INDEX -> {
          long begin = unit.indexedAddress(in.uleb());
          pairs.add(begin, unit.indexedAddress(in.uleb()));
        }
        case INDEX_LENGTH -> {
          long begin = unit.indexedAddress(in.uleb());
          pairs.add(begin, begin + in.uleb());
        }
        case OFFSET_PAIR -> {
          long begin = in.uleb();
          long end = in.uleb();
          if (base != -1) {
            pairs.add(base + begin, base + end);
          }
        }
        case BASE_ADDRESS -> base = in.u64();
        case BEGIN_END -> {
          long begin = in.u64();
          pairs.add(begin, in.u64());
        }
        case BEGIN_LENGTH -> {
          long begin = in.u64();
          pairs.add(begin, begin + in.uleb());
        }
        default -> throw new BadDebugInfo("a range list with entry " + kind);
      }
    }
  }

  boolean isEmpty() {
    return pairs.length == 0;
  }

  int count() {
    return pairs.length / 2;
  }

  long begin(int i) {
    return pairs[2 * i];
  }

  long end(int i) {
    return pairs[2 * i + 1];
  }

  boolean contains(long address) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (address >= pairs[i] && address < pairs[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** Collects pairs. */
  private static final class Builder {
    private long[] pairs = new long[2];
    private int size;

    void add(long begin, long end) {
      if (begin <= 0 || begin >= end) {
        return;
      }
      if (size == pairs.length) {
        pairs = Arrays.copyOf(pairs, size * 2);
      }
      pairs[size++] = begin;
      pairs[size++] = end;
    }

    Ranges build() {
      return size == 0 ? NONE : new Ranges(Arrays.copyOf(pairs, size));
    }
  }
}
