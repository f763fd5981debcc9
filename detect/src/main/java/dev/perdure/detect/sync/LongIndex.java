package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * Numbers long keys from 0 in the order in which they come: an open-addressed table without boxing.
 * A key that was removed may be added again and then gets a new number.
 */
public final class LongIndex {
  public static final int ABSENT = -1;
  private static final int EMPTY = 0;
  private static final int REMOVED = -1;

  private long[] keys = new long[64];
  private int[] numbers = new int[64]; // number + 1, EMPTY or REMOVED
  private int used;
  private int next;

  /** The number of a key, or {@link #ABSENT}. */
  public int find(long key) {
    int mask = keys.length - 1;
    for (int slot = slot(key, mask); ; slot = slot + 1 & mask) {
      int n = numbers[slot];
      if (n == EMPTY) {
        return ABSENT;
      }
      if (n > 0 && keys[slot] == key) {
        return n - 1;
      }
    }
  }

  /** The number of a key; a key that is not there gets the next number. */
  public int add(long key) {
    int number = find(key);
    if (number != ABSENT) {
      return number;
    }
    if (2 * (used + 1) > keys.length) {
      rehash();
    }
    int mask = keys.length - 1;
    int slot = slot(key, mask);
    while (numbers[slot] > 0) {
      slot = slot + 1 & mask;
    }
    if (numbers[slot] == EMPTY) {
      used++;
    }
    keys[slot] = key;
    numbers[slot] = ++next;
    return next - 1;
  }

  /** Forgets a key; its number is not given out again. */
  public void remove(long key) {
    int mask = keys.length - 1;
    for (int slot = slot(key, mask); numbers[slot] != EMPTY; slot = slot + 1 & mask) {
      if (numbers[slot] > 0 && keys[slot] == key) {
        numbers[slot] = REMOVED;
        return;
      }
    }
  }

  /** How many numbers were given out. */
  public int size() {
    return next;
  }

  private void rehash() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    int live = 0;
    for (int n : oldNumbers) {
      live += n > 0 ? 1 : 0;
    }
    int capacity = Math.max(64, Integer.highestOneBit(Math.max(1, live)) << 2);
    keys = new long[capacity];
    numbers = new int[capacity];
    used = live;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldNumbers[i] > 0) {
        int slot = slot(oldKeys[i], capacity - 1);
        while (numbers[slot] != EMPTY) {
          slot = slot + 1 & capacity - 1;
        }
        keys[slot] = oldKeys[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }

  private static int slot(long key, int mask) {
    long h = key * 0x9E3779B97F4A7C15L;
    return (int) (h >>> 32 ^ h >>> 12) & mask;
  }

  /** Grows an array so that an index fits. */
  public static int[] fit(int[] array, int index) {
    return index < array.length ? array : Arrays.copyOf(array, grown(array.length, index));
  }

  public static long[] fit(long[] array, int index) {
    return index < array.length ? array : Arrays.copyOf(array, grown(array.length, index));
  }

  public static int[][] fit(int[][] array, int index) {
    return index < array.length ? array : Arrays.copyOf(array, grown(array.length, index));
  }

  private static int grown(int length, int index) {
    return Math.max(index + 1, Math.max(16, 2 * length));
  }
}
