package dev.perdure.detect.calm;

/**
 * Which of the bytes that a path stores are remembered, as a number that fits into a cell: nearly
 * always all or none, and otherwise one of few masks.
 */
final class KeptMasks {
  static final int NONE = 0;
  static final int ALL = 1;
  static final int FULL = -1;
  private static final int MOST = 255;

  private final long[] masks = new long[MOST];
  private int count = ALL + 1;

  /** The number of a mask, {@link #FULL} where there is room for no more. */
  int number(long kept, long stored) {
    if (kept == 0) {
      return NONE;
    }
    if (kept == stored) {
      return ALL;
    }
    for (int i = ALL + 1; i < count; i++) {
      if (masks[i] == kept) {
        return i;
      }
    }
    if (count == MOST) {
      return FULL;
    }
    masks[count] = kept;
    return count++;
  }

  /** The bytes that are kept of those. */
  long mask(int number, long stored) {
    return number == NONE ? 0 : number == ALL ? stored : masks[number];
  }
}
