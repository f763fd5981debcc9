package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * When threads released and acquired, by their indices in vector clocks. A release ends an epoch of
 * its thread. Of each thread the last releases are kept; older ones count as long past.
 */
public final class Moments {
  static final int KEPT = 1024;

  private long now = Long.MIN_VALUE;
  private long[][] releases = new long[16][];
  private int[] lastReleased = new int[16];
  private long[] acquires = new long[16];

  /** Time does not go back, whatever the clocks of the target did. */
  public void at(long time) {
    now = Math.max(now, time);
  }

  /** The thread releases, or ends, at that epoch. */
  void released(int index, int epoch) {
    reserve(index);
    releases[index][epoch % KEPT] = now;
    lastReleased[index] = epoch;
  }

  /** The thread learns something new. */
  void acquired(int index) {
    reserve(index);
    acquires[index] = now;
  }

  boolean hasReleased(int index, int epoch) {
    reserve(index);
    return epoch <= lastReleased[index];
  }

  /** When the epoch of a thread came to its end; the largest number while it has not. */
  public long endOf(int index, int epoch) {
    reserve(index);
    if (epoch > lastReleased[index]) {
      return Long.MAX_VALUE;
    }
    return epoch > lastReleased[index] - KEPT ? releases[index][epoch % KEPT] : Long.MIN_VALUE;
  }

  /** When the thread last learned something; the smallest number if it never did. */
  public long lastAcquire(int index) {
    reserve(index);
    return acquires[index];
  }

  private void reserve(int index) {
    if (index >= releases.length) {
      int size = Math.max(index + 1, 2 * releases.length);
      releases = Arrays.copyOf(releases, size);
      lastReleased = Arrays.copyOf(lastReleased, size);
      acquires = Arrays.copyOf(acquires, size);
    }
    if (releases[index] == null) {
      releases[index] = new long[KEPT];
      acquires[index] = Long.MIN_VALUE;
    }
  }
}
