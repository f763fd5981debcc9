package dev.perdure.robust.analysis;

import java.util.BitSet;
import java.util.Set;

/**
 * What is to be inserted: flushes behind stores and atomic loads, fences before steps. A line that
 * an atomic load has read is not flushed at once (unless counters say when): it is noted, and what
 * is noted is flushed and fenced before a step that needs it. The line of a store that other stores
 * may follow is <em>held</em>: it is flushed and fenced before a store to another line, which is
 * found out when the program runs, or before any other step that needs it.
 */
public final class Repairs {
  private final BitSet flushes = new BitSet();
  private final BitSet fences = new BitSet();
  private final BitSet drains = new BitSet();
  private final BitSet held = new BitSet();
  private final BitSet turns = new BitSet();
  private final BitSet drainingRoutines = new BitSet();
  private final boolean counters;
  private final Set<Integer> exempt;

  /**
   * @param counters whether atomic accesses are guarded by FliT counters
   * @param exempt stores and atomic loads that need not be persistent
   */
  Repairs(boolean counters, Set<Integer> exempt) {
    this.counters = counters;
    this.exempt = Set.copyOf(exempt);
  }

  boolean isExempt(int step) {
    return exempt.contains(step);
  }

  public boolean counters() {
    return counters;
  }

  /** Whether the store or atomic load is followed by a flush. */
  public boolean flushesAfter(int step) {
    return flushes.get(step);
  }

  public boolean fencesBefore(int step) {
    return fences.get(step);
  }

  /** Whether the lines that are noted or held are persisted before the step. */
  public boolean drainsBefore(int step) {
    return drains.get(step);
  }

  /** Whether the line of the store is flushed later, when the program turns to another line. */
  public boolean holds(int step) {
    return step >= 0 && held.get(step);
  }

  /**
   * Whether the line that is held is persisted before the store, unless the store is to it. As only
   * one line can be held, stores that are held do this, too, also where nothing asks for it.
   */
  public boolean turnsBefore(int step) {
    return turns.get(step) || held.get(step);
  }

  /** Whether a store that is held may come before this one. */
  public boolean followsHeld(int step) {
    return turns.get(step);
  }

  /** Whether the program may come to have noted or held lines. */
  public boolean defersFlushes() {
    return !held.isEmpty() || !counters && !flushes.isEmpty();
  }

  void flushAfter(int step) {
    if (!held.get(step)) {
      flushes.set(step);
    }
  }

  /** The second store turns to its line, if need be, and thereby looks after the first. */
  void hold(int first, int second) {
    held.set(first);
    turns.set(second);
    flushes.clear(first);
  }

  void fenceBefore(int step) {
    fences.set(step);
  }

  void drainBefore(int step) {
    drains.set(step);
  }

  /** The function drains what its callers have noted where it needs that, not they before. */
  void drainInside(int routine) {
    drainingRoutines.set(routine);
  }

  boolean drainsInside(int routine) {
    return drainingRoutines.get(routine);
  }

  int fenceCount() {
    return fences.cardinality() + drains.cardinality() + drainingRoutines.cardinality();
  }

  /** Grows with everything that is decided about flushes. */
  int flushCount() {
    return flushes.cardinality() + 2 * held.cardinality() + turns.cardinality();
  }
}
