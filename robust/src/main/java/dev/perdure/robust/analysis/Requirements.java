package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;

/**
 * What has to be clean at a point of one function, and what comes of it if it is not: a violation
 * or a fence for the function's own stores, a token of the summary for those of its caller.
 */
final class Requirements {
  private final Routine routine;
  private final IntPredicate isAtomicRead;
  private final Repairs repairs;
  private final Reporter reporter;
  private final Set<Integer> violated = new HashSet<>();
  private boolean recording;

  Requirements(Routine routine, IntPredicate isAtomicRead, Repairs repairs, Reporter reporter) {
    this.routine = routine;
    this.isAtomicRead = isAtomicRead;
    this.repairs = repairs;
    this.reporter = reporter;
  }

  /** From here on the states are final: violations are reported. */
  void record() {
    recording = true;
  }

  boolean isRecording() {
    return recording;
  }

  /** The tokens of what callers must have made clean. */
  Set<Integer> violated() {
    return Set.copyOf(violated);
  }

  /** A store to memory that others can reach. */
  void reachable(int store) {
    if (recording) {
      reporter.reachable(store);
    }
  }

  /** What is inserted before a step takes effect before it. */
  void repairedBefore(int step, FlowState state) {
    if (repairs.fencesBefore(step) || repairs.drainsBefore(step)) {
      state.fence();
    }
    if (repairs.drainsBefore(step)) {
      state.change(cell -> cell.without(this::isDeferred));
    }
  }

  /**
   * Everything in the given locations that others can reach must be clean.
   *
   * @param ignored origins that need not be
   * @param onlyDirty whether the step is itself a fence, so that flushed memory will do
   */
  void check(
      int point,
      FlowState state,
      BiPredicate<Location, Cell> where,
      IntPredicate ignored,
      boolean onlyDirty) {
    BiPredicate<Location, Cell> reachable =
        (location, cell) -> where.test(location, cell) && state.isEscaped(location.base());
    Origins dirty = Origins.NONE;
    Origins pending = Origins.NONE;
    for (var entry : state.cells().entrySet()) {
      if (reachable.test(entry.getKey(), entry.getValue())) {
        dirty = dirty.union(entry.getValue().dirty().without(ignored));
        pending = pending.union(entry.getValue().pending().without(ignored));
      }
    }
    settle(point, dirty, onlyDirty ? Origins.NONE : pending, reachable, state);
  }

  /**
   * What is not clean and has to be: the function's own stores are reported, the caller's are its
   * caller's matter. Either way they count as persistent there from here on, so that one fault is
   * not reported again at each later step. Elsewhere the same store may still be unclean: in a new
   * object of the next round of a loop, say.
   */
  void settle(
      int point,
      Origins dirty,
      Origins pending,
      BiPredicate<Location, Cell> where,
      FlowState state) {
    Origins all = dirty.union(pending);
    if (all.isEmpty()) {
      return;
    }
    if (isOwn(all) && reporter.placesFences()) {
      if (all.stream().anyMatch(this::isDeferred)) {
        repairs.drainBefore(point);
        state.change(cell -> cell.without(this::isDeferred));
      } else {
        repairs.fenceBefore(point);
      }
      state.fence();
      all = dirty.without(this::isDeferred);
    }
    if (recording) {
      report(dirty, point, false);
      report(pending, point, true);
      all.stream().filter(origin -> origin < 0).forEach(violated::add);
    }
    Origins done = all;
    state.change(where, cell -> cell.without(done::contains));
  }

  private void report(Origins origins, int point, boolean flushed) {
    origins.stream()
        .filter(origin -> origin >= 0)
        .forEach(o -> reporter.violation(new Violation(routine.index(), o, point, flushed)));
  }

  /** What a callee needs of the lines that are noted before the call, it sees to itself. */
  void settleInside(Step.Call call, Origins noted, FlowState state) {
    if (isOwn(noted) && reporter.placesFences()) {
      repairs.drainInside(call.routine());
      state.change(cell -> cell.without(noted::contains));
    } else {
      settle(call.id(), noted, Origins.NONE, (location, cell) -> true, state);
    }
  }

  /** Whether the function has to do something about it, not its callers alone. */
  private boolean isOwn(Origins origins) {
    return origins.stream().anyMatch(origin -> origin >= 0)
        || origins.contains(Incoming.NOTED) && repairs.drainsInside(routine.index());
  }

  /** An atomic load whose line is noted, here or by a caller. */
  boolean isNoted(int origin) {
    return origin == Incoming.NOTED
        || origin >= 0
            && !repairs.counters()
            && isAtomicRead.test(origin)
            && repairs.flushesAfter(origin);
  }

  /** A store whose line is held, or an atomic load whose line is noted. */
  private boolean isDeferred(int origin) {
    return repairs.holds(origin) || isNoted(origin);
  }
}
