package dev.perdure.crash.memory;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/**
 * The stores of a run, by number from 1: who made them and when. Number 0 stands for what was in a
 * pool before the run.
 */
public final class StoreLog {
  /** Made inside a PM library, which is trusted. */
  public static final int BY_LIBRARY = 1;

  /** Made in a relaxed or skipped block. */
  public static final int EXEMPT = 2;

  /** No store, but an allocation that left its bytes as they were. */
  public static final int ALLOCATION = 4;

  private static final int ALL_FLAGS = 7;

  private final IntArrayList sites = new IntArrayList();
  private final IntArrayList stacks = new IntArrayList();
  private final IntArrayList threadsAndFlags = new IntArrayList();
  private final LongArrayList positions = new LongArrayList();

  public StoreLog() {
    add(0, 0, 0, 0, 0);
  }

  /** Takes down a store and returns its number. */
  public int add(int site, int stack, int thread, long position, int flags) {
    sites.add(site);
    stacks.add(stack);
    threadsAndFlags.add(thread << 3 | flags);
    positions.add(position);
    return sites.size() - 1;
  }

  public int site(int store) {
    return sites.getInt(store);
  }

  public int stack(int store) {
    return stacks.getInt(store);
  }

  public int thread(int store) {
    return threadsAndFlags.getInt(store) >>> 3;
  }

  /** Where in the trace it stands. */
  public long position(int store) {
    return positions.getLong(store);
  }

  /** A number for where a store was made, and what is to be known about it. */
  public long origin(int store) {
    int flags = threadsAndFlags.getInt(store) & ALL_FLAGS;
    return ContentHash.mix((long) site(store) << 32 | stack(store), flags);
  }

  public boolean is(int store, int flag) {
    return (threadsAndFlags.getInt(store) & flag) != 0;
  }
}
