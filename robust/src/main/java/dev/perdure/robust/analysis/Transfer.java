package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * The transfer functions (PMRobust, figures 8 and 9) and the three kinds of violation, for one
 * function in one context. Collects the function's summary on the way.
 */
final class Transfer {
  private final Requirements requirements;
  private final Escapes escapes;
  private final Accesses accesses;
  private final Calls calls;
  private final Ends ends;
  private Summary summary = Summary.UNKNOWN_YET;

  Transfer(
      Routine routine,
      Context context,
      IntPredicate isAtomicRead,
      List<Incoming> incoming,
      Function<Context, Summary> summaries,
      Repairs repairs,
      Reporter reporter) {
    this.requirements = new Requirements(routine, isAtomicRead, repairs, reporter);
    this.escapes = new Escapes(requirements);
    this.accesses = new Accesses(repairs, requirements);
    this.ends = new Ends(routine, context, isAtomicRead, requirements, escapes);
    this.calls = new Calls(incoming, summaries, requirements, escapes, ends);
  }

  /** From here on the states are final: violations are reported, the summary is made. */
  void record() {
    requirements.record();
  }

  Summary summary() {
    return summary.join(Summary.of(requirements.violated(), ends.thrown()));
  }

  /** Whether an exception of a call gets to where it is caught. */
  boolean throwsInto(Step.Call call) {
    return calls.mayThrow(call.id());
  }

  /** Changes the state by what a step does; returns whether control goes on behind it. */
  boolean apply(Step step, FlowState state) {
    requirements.repairedBefore(step.id(), state);
    if (step instanceof Step.Write write) {
      accesses.write(write, state);
    } else if (step instanceof Step.AtomicRead read) {
      accesses.atomicRead(read, state);
    } else if (step instanceof Step.Fetch fetch) {
      escapes.reveal(fetch.id(), fetch.reference(), state);
    } else if (step instanceof Step.Publication publication) {
      escapes.publish(publication.id(), publication.reference(), state);
    } else if (step instanceof Step.Release release) {
      requirements.check(
          step.id(), state, (location, cell) -> true, origin -> false, release.fences());
      if (release.fences()) {
        state.fence();
      }
    } else if (step instanceof Step.Fence) {
      state.fence();
    } else if (step instanceof Step.Flush flush) {
      state.flush(flush.place(), flush.ordered());
    } else if (step instanceof Step.Allocation allocation) {
      state.capture(allocation.reference(), Set.of(allocation.id()));
    } else if (step instanceof Step.Copy copy) {
      Escapes.copy(copy, state);
    } else if (step instanceof Step.Definition definition) {
      state.define(definition.value());
    } else if (step instanceof Step.Call call) {
      return calls.call(call, state);
    } else if (step instanceof Step.Unwinding) {
      ends.unwind(step.id(), state);
    } else if (step instanceof Step.Exit exit) {
      ends.exit(exit, state);
    } else if (step instanceof Step.Return end) {
      if (requirements.isRecording()) {
        summary = summary.join(ends.summary(end, state));
      }
    }
    return true;
  }
}
