package dev.perdure.detect.shadow;

import java.util.ArrayList;
import java.util.List;

/** Which addresses are persistent memory: the fixed window, and the ranges that the trace names. */
public final class PmRanges {
  private static final int WINDOW_SHIFT = 44;
  private static final long WINDOW = 0x200000000000L >>> WINDOW_SHIFT;

  private record Range(long start, long end) {}

  private final List<Range> ranges = new ArrayList<>();
  private boolean named;

  static boolean inWindow(long address) {
    return address >>> WINDOW_SHIFT == WINDOW;
  }

  public boolean contains(long address) {
    return inWindow(address) || !ranges.isEmpty() && isListed(address);
  }

  private boolean isListed(long address) {
    for (Range r : ranges) {
      if (address >= r.start && address < r.end) {
        return true;
      }
    }
    return false;
  }

  /** Whether the trace has named any persistent memory, be it mapped still or not. */
  public boolean everNamed() {
    return named;
  }

  public void add(long address, long length) {
    named = true;
    if (!inWindow(address) && length > 0) {
      remove(address, length);
      ranges.add(new Range(address, address + length));
    }
  }

  public void remove(long address, long length) {
    List<Range> rest = new ArrayList<>();
    for (Range r : ranges) {
      if (r.start < Math.min(r.end, address)) {
        rest.add(new Range(r.start, Math.min(r.end, address)));
      }
      if (Math.max(r.start, address + length) < r.end) {
        rest.add(new Range(Math.max(r.start, address + length), r.end));
      }
    }
    ranges.clear();
    ranges.addAll(rest);
  }
}
