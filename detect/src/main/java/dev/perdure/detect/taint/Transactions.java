package dev.perdure.detect.taint;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;

/**
 * Memory that threads' open transactions have logged or allocated: a crash takes back all of it,
 * and the commit persists all of it.
 */
public final class Transactions {
  private final Int2ObjectOpenHashMap<Open> open = new Int2ObjectOpenHashMap<>();

  /** Transactions in transactions are part of the outermost. */
  private static final class Open {
    private int depth;
    private final LongList ranges = new LongArrayList();
  }

  /** A thread, by its number, begins one. */
  public void begin(int thread) {
    open.computeIfAbsent(thread, t -> new Open()).depth++;
  }

  /** A thread logs or allocates memory; outside of transactions that is nothing. */
  public void add(int thread, long address, long length) {
    Open of = open.get(thread);
    if (of != null) {
      of.ranges.add(address);
      of.ranges.add(address + length);
    }
  }

  /** A thread ends its innermost one. */
  public void end(int thread) {
    Open of = open.get(thread);
    if (of != null && --of.depth == 0) {
      open.remove(thread);
    }
  }

  /** Whether memory lies in one range of the thread's transaction. */
  boolean cover(int thread, long address, long length) {
    Open of = open.get(thread);
    for (int i = 0; of != null && i < of.ranges.size(); i += 2) {
      if (of.ranges.getLong(i) <= address && address + length <= of.ranges.getLong(i + 1)) {
        return true;
      }
    }
    return false;
  }
}
