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
    int[] merged = IntStream.concat(stream(), other.stream()).sorted().distinct().toArray();
    return merged.length == sorted.length ? this : new Origins(merged);
  }

  Origins without(IntPredicate dropped) {
    int[] kept = stream().filter(dropped.negate()).toArray();
    return kept.length == sorted.length ? this : kept.length == 0 ? NONE : new Origins(kept);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Origins o && Arrays.equals(sorted, o.sorted);
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
