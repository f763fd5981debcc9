package dev.perdure.detect.shadow;

import java.util.Arrays;

/**
 * For each thread, by index, the windows that its next fence persists. Records of windows are
 * recycled: an entry is good while the window has the stamp that it had then.
 */
public final class PendingFlushes {
  private static final int ENTRY = 3;

  private int[][] lists = new int[64][];
  private int[] sizes = new int[64];

  void add(int index, int window, int stamp, int word) {
    if (index >= sizes.length) {
      lists = Arrays.copyOf(lists, Math.max(index + 1, 2 * index));
      sizes = Arrays.copyOf(sizes, lists.length);
    }
    if (lists[index] == null) {
      lists[index] = new int[16 * ENTRY];
    } else if (sizes[index] == lists[index].length) {
      lists[index] = Arrays.copyOf(lists[index], 2 * sizes[index]);
    }
    int[] list = lists[index];
    int i = sizes[index];
    list[i] = window;
    list[i + 1] = stamp;
    list[i + 2] = word;
    sizes[index] += ENTRY;
  }

  int size(int index) {
    return index < sizes.length ? sizes[index] / ENTRY : 0;
  }

  int window(int index, int i) {
    return lists[index][i * ENTRY];
  }

  int stamp(int index, int i) {
    return lists[index][i * ENTRY + 1];
  }

  int word(int index, int i) {
    return lists[index][i * ENTRY + 2];
  }

  boolean contains(int index, int window, int stamp) {
    for (int i = 0; i < size(index); i++) {
      if (window(index, i) == window && stamp(index, i) == stamp) {
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
    return index >= sizes.length || sizes[index] == 0;
  }

  /** A window takes the place of another: it is pending for the same threads. */
  void inherit(int window, int stamp, int word, int from, int fromStamp) {
    for (int index = 0; index < sizes.length; index++) {
      if (contains(index, from, fromStamp)) {
        add(index, window, stamp, word);
      }
    }
  }
}
