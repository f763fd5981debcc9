package dev.perdure.testkit.oracle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A set of bytes, as ranges that neither touch nor overlap once they are asked for. */
final class ByteRanges {
  private List<Range> ranges = new ArrayList<>();
  private boolean sorted = true;

  /** The bytes from {@code from} to {@code to - 1}. */
  record Range(long from, long to) {}

  void add(long from, long size) {
    if (size > 0) {
      ranges.add(new Range(from, from + size));
      sorted = false;
    }
  }

  List<Range> ranges() {
    if (!sorted) {
      ranges = merged();
      sorted = true;
    }
    return ranges;
  }

  private List<Range> merged() {
    ranges.sort(Comparator.comparingLong(Range::from));
    List<Range> merged = new ArrayList<>();
    for (Range range : ranges) {
      int last = merged.size() - 1;
      if (last >= 0 && range.from <= merged.get(last).to) {
        Range before = merged.get(last);
        merged.set(last, new Range(before.from, Math.max(before.to, range.to)));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /** The bytes that the other set does not have. */
  ByteRanges without(ByteRanges other) {
    var rest = new ByteRanges();
    List<Range> gone = other.ranges();
    int next = 0;
    for (Range range : ranges()) {
      long from = range.from;
      while (next < gone.size() && gone.get(next).to <= from) {
        next++;
      }
      for (int i = next; i < gone.size() && gone.get(i).from < range.to; i++) {
        rest.add(from, gone.get(i).from - from);
        from = gone.get(i).to;
      }
      rest.add(from, range.to - from);
    }
    return rest;
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Range r : ranges()) {
      text.append(text.isEmpty() ? "" : ", ").append("0x%x-0x%x".formatted(r.from, r.to - 1));
    }
    return text.toString();
  }
}
