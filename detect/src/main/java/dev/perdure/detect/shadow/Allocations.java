package dev.perdure.detect.shadow;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sizes of allocated blocks, and blocks that are so large that their lines get windows only when
 * they are first used.
 */
final class Allocations {
  private record Lazy(long end, int template) {}

  private final ShadowPm shadow;
  private final Long2LongOpenHashMap sizes = new Long2LongOpenHashMap();
  private final TreeMap<Long, Lazy> lazy = new TreeMap<>();

  Allocations(ShadowPm shadow) {
    this.shadow = shadow;
  }

  void setSize(long address, long size) {
    sizes.put(address, size);
  }

  /** The size of a block that is freed now, 0 where it is not known. */
  long removeSize(long address) {
    return sizes.remove(address);
  }

  /** The template is a window that each line of the range gets a copy of. */
  void addLazy(long start, long end, int template) {
    lazy.put(start, new Lazy(end, template));
  }

  /** The lines of a range are no longer left to their first use; lines that stick out are made. */
  void removeLazy(long from, long to) {
    if (lazy.isEmpty()) {
      return;
    }
    makeLine(from);
    makeLine(to - 1);
    long start = from & -64;
    long end = to + 63 & -64;
    Map.Entry<Long, Lazy> entry = lazy.lowerEntry(end);
    while (entry != null && entry.getValue().end() > start) {
      lazy.remove(entry.getKey());
      int template = entry.getValue().template();
      boolean before = entry.getKey() < start;
      boolean after = entry.getValue().end() > end;
      if (before) {
        lazy.put(entry.getKey(), new Lazy(start, template));
      }
      if (after) {
        int copy = before ? shadow.windows().copy(template) : template;
        lazy.put(end, new Lazy(entry.getValue().end(), copy));
      }
      if (!before && !after) {
        shadow.windows().release(template);
      }
      entry = lazy.lowerEntry(entry.getKey());
    }
  }

  private void makeLine(long address) {
    if (covers(address & -64)) {
      ShadowArea area = shadow.areas().at(address);
      if (area.lines[ShadowArea.line(address)] == ShadowArea.ABSENT) {
        materialise(area, ShadowArea.line(address));
      }
    }
  }

  /** Whether the line belongs to a block whose windows are made at first use. */
  boolean covers(long line) {
    Map.Entry<Long, Lazy> entry = lazy.isEmpty() ? null : lazy.floorEntry(line);
    return entry != null && entry.getValue().end() > line;
  }

  /** Whether a line of the range belongs to such a block. */
  boolean coverSome(long from, long to) {
    Map.Entry<Long, Lazy> entry = lazy.isEmpty() ? null : lazy.lowerEntry(to);
    return entry != null && entry.getValue().end() > from;
  }

  /** Gives an absent line the window that an allocation of it stands for. */
  void materialise(ShadowArea area, int line) {
    long address = area.lineAddress(line);
    if (!covers(address)) {
      return;
    }
    Map.Entry<Long, Lazy> entry = lazy.floorEntry(address);
    int word = shadow.lineWord(area, address);
    int window = shadow.windows().copy(entry.getValue().template());
    shadow.windows().moveTo(window, address);
    shadow.windows().setMask(window, 0xff);
    shadow.windows().setNext(window, 0);
    int[] a = shadow.chunk(word);
    a[ShadowPm.at(word) + Word.OPEN] = window;
    shadow.newVersion(a, ShadowPm.at(word));
    Word.markOpen(a, ShadowPm.at(word), word, true);
  }
}
