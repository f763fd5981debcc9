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

  /** Whether every line that has a window has it in the shadow. */
  boolean isEmpty() {
    return lazy.isEmpty();
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

  void removeLazy(long start, long end) {
    if (lazy.isEmpty()) {
      return;
    }
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

  /** Gives an absent line the window that an allocation of it stands for. */
  void materialise(ShadowPage page, int line) {
    if (lazy.isEmpty()) {
      return;
    }
    long address = page.lineAddress(line);
    Map.Entry<Long, Lazy> entry = lazy.floorEntry(address);
    if (entry == null || entry.getValue().end() <= address) {
      return;
    }
    int word = shadow.lineWord(page, address);
    int window = shadow.windows().copy(entry.getValue().template());
    shadow.windows().moveTo(window, word, address);
    shadow.windows().setMask(window, 0xff);
    shadow.windows().setNext(window, 0);
    int[] a = shadow.chunk(word);
    a[ShadowPm.at(word) + Word.OPEN] = window;
    shadow.newVersion(a, ShadowPm.at(word));
    shadow.markOpen(page, address, true);
  }
}
