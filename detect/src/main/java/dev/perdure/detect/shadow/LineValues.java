package dev.perdure.detect.shadow;

import java.util.Arrays;

/** The bytes of windows that cover whole lines: blocks of eight longs. */
final class LineValues {
  private long[] longs = new long[8 * 16];
  private int count;
  private int[] free = new int[16];
  private int freeCount;

  /** Keeps the values of some words of a line, unless they are equal and one long says it all. */
  void set(Windows windows, int window, long[] words, int mask) {
    int first = Integer.numberOfTrailingZeros(mask);
    boolean uniform = true;
    for (int m = mask; m != 0; m &= m - 1) {
      uniform &= words[Integer.numberOfTrailingZeros(m)] == words[first];
    }
    if (uniform) {
      windows.setValue(window, words[first]);
      return;
    }
    int block = freeCount > 0 ? free[--freeCount] : count++;
    if (8 * block >= longs.length) {
      longs = Arrays.copyOf(longs, 2 * longs.length);
    }
    System.arraycopy(words, 0, longs, 8 * block, 8);
    windows.setValue(window, block);
    windows.set(window, Windows.LINE_VALUES);
  }

  /** The window is a copy that stands for one eighth of the line now. */
  void spread(Windows windows, int window, int bit) {
    if (windows.is(window, Windows.LINE_VALUES)) {
      windows.setValue(window, longs[8 * (int) windows.value(window) + bit]);
      windows.unset(window, Windows.LINE_VALUES);
    }
  }

  void release(Windows windows, int window) {
    if (windows.is(window, Windows.LINE_VALUES)) {
      if (freeCount == free.length) {
        free = Arrays.copyOf(free, 2 * freeCount);
      }
      free[freeCount++] = (int) windows.value(window);
      windows.unset(window, Windows.LINE_VALUES);
    }
  }
}
