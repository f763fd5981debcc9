package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Extent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a call of a function does, for one context (PMRobust, section VI-A).
 *
 * @param returns whether it comes back at all, as far as is known yet
 * @param violated tokens of incoming memory that must be clean: if it is not, something in the
 *     function violates robustness. This is PMRobust's mark for objects that are dirty inside.
 * @param dirty tokens of memory that is still dirty at the end, if it came so
 * @param pending tokens of memory that is flushed but not fenced at the end
 * @param left what the function itself leaves unclean in its parameters' objects and its result
 * @param escaping the parameters whose objects have escaped
 * @param resultObjects the parameters that a captured result may be an alias of
 * @param resultCaptured whether nothing else refers to the result's object
 * @param thrown what a call does that an exception ends
 */
record Summary(
    boolean returns,
    Set<Integer> violated,
    Set<Integer> dirty,
    Set<Integer> pending,
    Map<Left, Cell> left,
    Set<Integer> escaping,
    Set<Integer> resultObjects,
    boolean resultCaptured,
    Thrown thrown) {

  /** The result in place of a parameter. */
  static final int RESULT = -1;

  /** Neither a parameter nor the result: the caller has no name for it, and can only fence. */
  static final int ELSEWHERE = -2;

  /** A place relative to a parameter, or to the result. */
  record Left(int parameter, long offset, boolean exact, Extent extent) {}

  /**
   * A call that an exception ends: everything is clean then.
   *
   * @param possible whether there may be one
   * @param escaping the parameters whose objects have escaped
   */
  record Thrown(boolean possible, Set<Integer> escaping) {
    static final Thrown NOTHING = new Thrown(false, Set.of());

    Thrown {
      escaping = Set.copyOf(escaping);
    }

    Thrown join(Thrown other) {
      return new Thrown(possible || other.possible, union(escaping, other.escaping));
    }
  }

  /** Of a function that has not been looked at. */
  static final Summary UNKNOWN_YET = of(Set.of(), Thrown.NOTHING);

  /** Of a function that does not come back. */
  static Summary of(Set<Integer> violated, Thrown thrown) {
    return new Summary(
        false, violated, Set.of(), Set.of(), Map.of(), Set.of(), Set.of(), true, thrown);
  }

  Summary {
    violated = Set.copyOf(violated);
    dirty = Set.copyOf(dirty);
    pending = Set.copyOf(pending);
    left = Map.copyOf(left);
    escaping = Set.copyOf(escaping);
    resultObjects = Set.copyOf(resultObjects);
  }

  /** The effects of either: what holds if one of two ways is taken. */
  Summary join(Summary other) {
    Map<Left, Cell> allLeft = new HashMap<>(left);
    other.left.forEach((place, cell) -> allLeft.merge(place, cell, Cell::union));
    return new Summary(
        returns || other.returns,
        union(violated, other.violated),
        union(dirty, other.dirty),
        union(pending, other.pending),
        allLeft,
        union(escaping, other.escaping),
        union(resultObjects, other.resultObjects),
        resultCaptured && other.resultCaptured,
        thrown.join(other.thrown));
  }

  private static Set<Integer> union(Set<Integer> a, Set<Integer> b) {
    Set<Integer> both = new HashSet<>(a);
    both.addAll(b);
    return both;
  }
}
