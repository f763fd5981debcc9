package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * When threads released, counted in releases of all threads. The last ones of each thread are kept;
 * what came earlier counts as over since ever, so that at worst an overlap is missed.
 */
final class ReleaseTimes {
  /** A power of two, as all sizes are. */
  static final int KEPT = 1 << 16;

  private static final int FIRST_SIZE = 64;

  private long[][] times = new long[16][];
  private long now;

  long now() {
    return now;
  }

  /** The thread releases at the end of an epoch, which follows the one of its last release. */
  void add(int index, int epoch) {
    now++;
    if (index >= times.length) {
      times = Arrays.copyOf(times, Math.max(index + 1, 2 * times.length));
    }
    long[] own = times[index];
    if (own == null || epoch >= own.length && own.length < KEPT) {
      int size = Math.min(KEPT, Math.max(FIRST_SIZE, Integer.highestOneBit(epoch) << 1));
      own = own == null ? new long[size] : Arrays.copyOf(own, size);
      times[index] = own;
    }
    own[epoch & own.length - 1] = now;
  }

  /** When an epoch was over, given the last one of the thread that is. */
  long of(int index, int epoch, int last) {
    long[] own = times[index];
    return last - epoch < own.length ? own[epoch & own.length - 1] : 0;
  }
}
