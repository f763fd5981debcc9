package dev.perdure.robust.analysis;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A small immutable set of numbers: the steps that made memory unpersisted, or tokens (negative)
 * that stand for what the caller brought along.
 */
final class Origins {
  static final Origins NONE = new Origins(new int[0]);

  private final int[] sorted;

  private Origins(int[] sorted) {
    this.sorted = sorted;
  }

  static Origins of(int origin) {
    return new Origins(new int[] {origin});
  }

  boolean isEmpty() {
    return sorted.length == 0;
  }

  boolean contains(int origin) {
    return Arrays.binarySearch(sorted, origin) >= 0;
  }

  IntStream stream() {
    return Arrays.stream(sorted);
  }

  Origins union(Origins other) {
    if (other.isEmpty() || this == other) {
      return this;
    }
    if (isEmpty()) {
      return other;
    }
    int[] merged = new int[sorted.length + other.sorted.length];
    int size = 0;
    int i = 0;
    int k = 0;
    while (i < sorted.length || k < other.sorted.length) {
      boolean first = k == other.sorted.length || i < sorted.length && sorted[i] <= other.sorted[k];
      int next = first ? sorted[i] : other.sorted[k];
      i += i < sorted.length && sorted[i] == next ? 1 : 0;
      k += k < other.sorted.length && other.sorted[k] == next ? 1 : 0;
      merged[size++] = next;
    }
    if (size == sorted.length) {
      return this;
    }
    return size == other.sorted.length ? other : new Origins(Arrays.copyOf(merged, size));
  }

  Origins without(IntPredicate dropped) {
    int kept = 0;
    for (int origin : sorted) {
      kept += dropped.test(origin) ? 0 : 1;
    }
    if (kept == sorted.length) {
      return this;
    }
    if (kept == 0) {
      return NONE;
    }
    int[] rest = new int[kept];
    int size = 0;
    for (int origin : sorted) {
      if (!dropped.test(origin)) {
        rest[size++] = origin;
      }
    }
    return new Origins(rest);
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof Origins o && Arrays.equals(sorted, o.sorted);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sorted);
  }

  @Override
  public String toString() {
    return Arrays.toString(sorted);
  }
}
