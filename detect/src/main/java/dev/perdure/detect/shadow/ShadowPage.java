package dev.perdure.detect.shadow;

/** The shadow of 4 KB: for each line the block with its words, and which of them have windows. */
final class ShadowPage {
  static final int SHIFT = 12;
  static final int LINES = 64;
  static final int ABSENT = 0;

  /** Stands for every page that nothing was recorded in. */
  static final ShadowPage NONE = new ShadowPage(-1);

  final long number;

  /** A line is absent (0), eight words (positive), or one word for all of it (negative). */
  final int[] lines = new int[LINES];

  /** Bit i is set while word i has an open window; bit 0 where the line is one word. */
  final byte[] open = new byte[LINES];

  ShadowPage(long number) {
    this.number = number;
  }

  static int line(long address) {
    return (int) (address >>> 6) & LINES - 1;
  }

  long lineAddress(int line) {
    return number << SHIFT | (long) line << 6;
  }
}
