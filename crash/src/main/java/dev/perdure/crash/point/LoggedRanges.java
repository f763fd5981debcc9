package dev.perdure.crash.point;

import dev.perdure.crash.memory.LinePersistence;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;

/**
 * Bytes whose old values are in the log of a transaction that is under way: after a failure its
 * library puts them back before anyone can read them.
 */
public final class LoggedRanges {
  private static final int LINE = 64;

  private final Long2LongOpenHashMap masks = new Long2LongOpenHashMap();

  /** Adds a range, but not the bytes of which the log would keep a value that may be lost. */
  void add(long address, long length, LinePersistence memory) {
    for (long line = address & -LINE; line < address + length; line += LINE) {
      long mask = LinePersistence.maskIn(line, address, length);
      for (long rest = mask; rest != 0; rest &= rest - 1) {
        long b = Long.numberOfTrailingZeros(rest);
        if (memory.isOpen(line + b, 1)) {
          mask &= ~(1L << b);
        }
      }
      masks.put(line, masks.get(line) | mask);
    }
  }

  /** Adds a range, whatever its bytes hold. */
  void addWhole(long address, long length) {
    for (long line = address & -LINE; line < address + length; line += LINE) {
      masks.put(line, masks.get(line) | LinePersistence.maskIn(line, address, length));
    }
  }

  void addAll(LoggedRanges other) {
    for (Long2LongMap.Entry e : other.masks.long2LongEntrySet()) {
      masks.put(e.getLongKey(), masks.get(e.getLongKey()) | e.getLongValue());
    }
  }

  /** The bytes of a line that are logged. */
  public long in(long line) {
    return masks.get(line);
  }

  boolean covers(long address, long length) {
    for (long line = address & -LINE; line < address + length; line += LINE) {
      if ((LinePersistence.maskIn(line, address, length) & ~masks.get(line)) != 0) {
        return false;
      }
    }
    return true;
  }

  long hash() {
    return masks.hashCode();
  }

  void clear() {
    masks.clear();
  }
}
