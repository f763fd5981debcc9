package dev.perdure.robust.analysis;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What is to be inserted: flushes behind stores and atomic loads, fences before steps. A line that
 * an atomic load has read is not flushed at once (unless counters say when): it is noted, and what
 * is noted is flushed and fenced before a step that needs it. Of two stores that follow each other,
 * the first may be persisted before the second only if they turn out to lie in different lines.
 */
public final class Repairs {
  private final BitSet flushes = new BitSet();
  private final BitSet fences = new BitSet();
  private final BitSet drains = new BitSet();
  private final BitSet firsts = new BitSet();
  private final Map<Integer, Integer> pairs = new HashMap<>();
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

  /** Whether the lines that atomic loads have noted are persisted before the step. */
  public boolean drainsBefore(int step) {
    return drains.get(step);
  }

  /** The store that is persisted before this one, should they lie in different lines. */
  public OptionalInt pairedBefore(int step) {
    Integer first = pairs.get(step);
    return first == null ? OptionalInt.empty() : OptionalInt.of(first);
  }

  void flushAfter(int step) {
    if (!firsts.get(step)) {
      flushes.set(step);
    }
  }

  /** The second store of a pair looks after the first. */
  void pair(int first, int second) {
    pairs.put(second, first);
    firsts.set(first);
    flushes.clear(first);
  }

  int pairCount() {
    return pairs.size();
  }

  void fenceBefore(int step) {
    fences.set(step);
  }

  void drainBefore(int step) {
    drains.set(step);
  }

  int fenceCount() {
    return fences.cardinality() + drains.cardinality();
  }

  int flushCount() {
    return flushes.cardinality();
  }
}
