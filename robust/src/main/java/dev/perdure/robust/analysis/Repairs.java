package dev.perdure.robust.analysis;

import java.util.BitSet;
import java.util.Set;

/** What is to be inserted: flushes behind stores and atomic loads, fences before steps. */
public final class Repairs {
  private final BitSet flushes = new BitSet();
  private final BitSet fences = new BitSet();
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

  void flushAfter(int step) {
    flushes.set(step);
  }

  void fenceBefore(int step) {
    fences.set(step);
  }

  int fenceCount() {
    return fences.cardinality();
  }

  int flushCount() {
    return flushes.cardinality();
  }
}
