package dev.perdure.detect.shadow;

/** The shadow of 1 MB: for each line the block with its words. */
final class ShadowArea {
  static final int SHIFT = 20;
  static final int LINES = 1 << SHIFT - 6;
  static final int ABSENT = 0;

  /** Stands for every area that nothing was recorded in. */
  static final ShadowArea NONE = new ShadowArea(-1);

  final long number;

  /**
   * A line is absent (0), eight words (positive), one word for all of it (negative), or known by
   * other means (odd); see {@link UnmadeLines}.
   */
  final int[] lines = new int[LINES];

  ShadowArea(long number) {
    this.number = number;
  }

  /** Whether the line is known by other means than words. */
  static boolean isUnmade(int block) {
    return (block & 1) != 0;
  }

  /** Whether the line has words. */
  static boolean hasWords(int block) {
    return block != ABSENT && !isUnmade(block);
  }

  static int line(long address) {
    return (int) (address >>> 6) & LINES - 1;
  }

  long lineAddress(int line) {
    return number << SHIFT | (long) line << 6;
  }
}
