package dev.perdure.crash.memory;

import java.util.Map;
import java.util.TreeMap;

/**
 * Where a target has its pools mapped. Unmapping is not followed: the processes of a target map the
 * same file at the same place, and one of them may still use it.
 */
public final class PoolMap {
  private record Mapped(long start, long end, long target) {}

  private final TreeMap<Long, Mapped> byStart = new TreeMap<>();
  private Mapped last = new Mapped(0, 0, 0);

  /** A pool's part now lies there; what was there before is gone. */
  public void map(long address, long length, int pool, long offset) {
    long end = address + length;
    Map.Entry<Long, Mapped> before = byStart.lowerEntry(end);
    while (before != null && before.getValue().end() > address) {
      Mapped old = before.getValue();
      byStart.remove(old.start());
      if (old.start() < address) {
        byStart.put(old.start(), new Mapped(old.start(), address, old.target()));
      }
      if (old.end() > end) {
        byStart.put(end, new Mapped(end, old.end(), old.target() + end - old.start()));
      }
      before = byStart.lowerEntry(Math.min(end, old.start()));
    }
    byStart.put(address, new Mapped(address, end, PoolAddress.of(pool, offset)));
    last = new Mapped(0, 0, 0);
  }

  /** The pool's byte behind an address of the target, or {@link PoolAddress#NONE}. */
  public long poolAddress(long address) {
    if (address < last.start() || address >= last.end()) {
      Map.Entry<Long, Mapped> below = byStart.floorEntry(address);
      if (below == null || below.getValue().end() <= address) {
        return PoolAddress.NONE;
      }
      last = below.getValue();
    }
    return last.target() + address - last.start();
  }
}
