package dev.perdure.detect.shadow;

import java.util.Arrays;

/**
 * The lines that got their words last. Who fills a structure may still be at work on them; one that
 * makes room for a newer line is mostly as it will stay for a while.
 */
final class RecentLines {
  /** No line. */
  static final long NONE = -1;

  /** Several threads may each fill several arrays side by side. */
  private static final int COUNT = 64;

  private final long[] lines = new long[COUNT];
  private int oldest;

  RecentLines() {
    Arrays.fill(lines, NONE);
  }

  /** Adds a line, and returns the oldest one in its place. */
  long replaceOldest(long line) {
    long displaced = lines[oldest];
    lines[oldest] = line;
    oldest = oldest + 1 & COUNT - 1;
    return displaced;
  }
}
