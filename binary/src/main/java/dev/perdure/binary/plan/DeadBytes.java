package dev.perdure.binary.plan;

import java.util.TreeMap;

/** Bytes of the text that nothing reaches, where the long half of somebody's short jump may be. */
final class DeadBytes {
  /**
   * @param owner the address of the patch that makes them dead; 0: they are so by themselves
   */
  record Range(long from, long to, long owner) {}

  private final TreeMap<Long, Range> ranges = new TreeMap<>();
  private final int wanted;
  private final int reach;

  /**
   * @param wanted how many of them are taken together
   * @param reach how far a short jump goes
   */
  DeadBytes(int wanted, int reach) {
    this.wanted = wanted;
    this.reach = reach;
  }

  void add(long from, long to, long owner) {
    if (to - from >= wanted) {
      ranges.put(from, new Range(from, to, owner));
    }
  }

  /** Takes some in reach of a short jump that ends at the address; null if there are none. */
  Range take(long from) {
    var below = ranges.floorEntry(from - reach);
    if (below != null) {
      long start = Math.max(below.getKey(), from - reach);
      if (below.getValue().to - start >= wanted) {
        return take(below.getValue(), start);
      }
    }
    var next = ranges.subMap(from - reach, false, from + reach, true).firstEntry();
    return next == null ? null : take(next.getValue(), next.getKey());
  }

  private Range take(Range range, long at) {
    ranges.remove(range.from);
    add(range.from, at, range.owner);
    add(at + wanted, range.to, range.owner);
    return new Range(at, at + wanted, range.owner);
  }
}
