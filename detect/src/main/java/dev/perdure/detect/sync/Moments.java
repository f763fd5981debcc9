package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * Who had released what when a thread last acquired, by indices in vector clocks. A release ends an
 * epoch of its thread.
 */
public final class Moments {
  private static final int[] NEVER = {};

  private final ReleaseTimes times = new ReleaseTimes();
  private int[] released = new int[16];
  private int[] acquires = new int[16];
  private int[][] atAcquire = new int[16][];

  /** The thread releases, or ends, at that epoch. */
  void released(int index, int epoch) {
    reserve(index);
    released[index] = epoch;
    times.add(index, epoch);
  }

  /** The thread learns something new. */
  void acquired(int index) {
    reserve(index);
    acquires[index]++;
    if (atAcquire[index].length == released.length) {
      System.arraycopy(released, 0, atAcquire[index], 0, released.length);
    } else {
      atAcquire[index] = released.clone();
    }
  }

  boolean hasReleased(int index, int epoch) {
    reserve(index);
    return epoch <= released[index];
  }

  /** Whether that epoch of another thread was not over when the thread last acquired. */
  public boolean lastedBeyondAcquire(int other, int epoch, int index) {
    reserve(index);
    int[] ended = atAcquire[index];
    return other >= ended.length || epoch > ended[other];
  }

  /** A number that grows with every release of any thread. */
  public long now() {
    return times.now();
  }

  /** How often the thread has learned something new. */
  public int acquires(int index) {
    reserve(index);
    return acquires[index];
  }

  /** Whether that epoch of another thread was not over at a moment that {@link #now} told. */
  public boolean lastedBeyond(long moment, int other, int epoch) {
    return !hasReleased(other, epoch) || times.of(other, epoch, released[other]) > moment;
  }

  private void reserve(int index) {
    if (index >= released.length) {
      int size = Math.max(index + 1, 2 * released.length);
      released = Arrays.copyOf(released, size);
      acquires = Arrays.copyOf(acquires, size);
      atAcquire = Arrays.copyOf(atAcquire, size);
    }
    if (atAcquire[index] == null) {
      atAcquire[index] = NEVER;
    }
  }
}
