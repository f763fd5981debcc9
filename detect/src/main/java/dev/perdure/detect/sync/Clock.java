package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * Vector clocks as plain arrays: element i is the clock of the thread with index i, and what lies
 * beyond the end is 0.
 */
final class Clock {
  static final int[] ZERO = {};

  private Clock() {}

  static boolean knows(int[] clock, int index, int epoch) {
    return index < clock.length && clock[index] >= epoch;
  }

  /** Raises the first clock to the maximum of both; returns it, or a longer copy. */
  static int[] raise(int[] clock, int[] other) {
    return raise(clock, other, 0, other.length);
  }

  /** The same, where the other one is a part of an array. */
  static int[] raise(int[] clock, int[] other, int from, int length) {
    int[] result = clock.length < length ? Arrays.copyOf(clock, length) : clock;
    for (int i = 0; i < length; i++) {
      if (other[from + i] > result[i]) {
        result[i] = other[from + i];
      }
    }
    return result;
  }

  /** Raises one element; returns the clock, or a longer copy. */
  static int[] raise(int[] clock, int index, int epoch) {
    int[] result = index < clock.length ? clock : Arrays.copyOf(clock, index + 1);
    if (result[index] < epoch) {
      result[index] = epoch;
    }
    return result;
  }
}
