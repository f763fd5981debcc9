package dev.perdure.detect.sync;

/**
 * The create/join clocks that stores were made at. They change only when threads are created or
 * joined, so there are few of them.
 */
public final class OrderClocks {
  private int[][] clocks = new int[64][];
  private int count;

  int add(int[] clock) {
    clocks = LongIndex.fit(clocks, count);
    clocks[count] = clock;
    return count++;
  }

  /** Whether an event is ordered before a store that was made at that clock. */
  public boolean orderedBefore(int index, int epoch, int clock) {
    return Clock.knows(clocks[clock], index, epoch);
  }
}
