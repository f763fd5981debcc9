package dev.perdure.detect.shadow;

import java.util.Arrays;

/** For each thread, by index, the windows that its next fence persists. */
public final class PendingFlushes {
  private long[][] lists = new long[64][];
  private int[] sizes = new int[64];

  void add(int index, int window, int generation) {
    if (index >= sizes.length) {
      lists = Arrays.copyOf(lists, Math.max(index + 1, 2 * index));
      sizes = Arrays.copyOf(sizes, lists.length);
    }
    if (lists[index] == null) {
      lists[index] = new long[16];
    } else if (sizes[index] == lists[index].length) {
      lists[index] = Arrays.copyOf(lists[index], 2 * sizes[index]);
    }
    lists[index][sizes[index]++] = entry(window, generation);
  }

  int size(int index) {
    return index < sizes.length ? sizes[index] : 0;
  }

  int window(int index, int i) {
    return (int) (lists[index][i] >>> 32);
  }

  int generation(int index, int i) {
    return (int) lists[index][i];
  }

  boolean contains(int index, int window, int generation) {
    long entry = entry(window, generation);
    for (int i = 0; i < size(index); i++) {
      if (lists[index][i] == entry) {
        return true;
      }
    }
    return false;
  }

  void clear(int index) {
    if (index < sizes.length) {
      sizes[index] = 0;
    }
  }

  /** Whether the thread has nothing pending, nor had since its last fence. */
  public boolean isEmpty(int index) {
    return size(index) == 0;
  }

  /** A window takes the place of another beside it: it is pending for the same threads. */
  void inherit(int window, int generation, int from, int fromGeneration) {
    for (int index = 0; index < sizes.length; index++) {
      if (contains(index, from, fromGeneration)) {
        add(index, window, generation);
      }
    }
  }

  private static long entry(int window, int generation) {
    return (long) window << 32 | generation & 0xffffffffL;
  }
}
