package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.program.Values;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Calls of the program's own functions, by their summaries: what of the caller's memory the callee
 * needs clean, and what it leaves behind.
 */
final class Calls {
  private final List<Incoming> incoming;
  private final Function<Context, Summary> summaries;
  private final Requirements requirements;
  private final Escapes escapes;
  private final Ends ends;
  private final Set<Integer> throwing = new HashSet<>();

  Calls(
      List<Incoming> incoming,
      Function<Context, Summary> summaries,
      Requirements requirements,
      Escapes escapes,
      Ends ends) {
    this.incoming = incoming;
    this.summaries = summaries;
    this.requirements = requirements;
    this.escapes = escapes;
    this.ends = ends;
  }

  /** Changes the state by what a call does; returns whether it comes back. */
  boolean call(Step.Call call, FlowState state) {
    Incoming sorts = incoming.get(call.routine());
    Summary callee = summaries.apply(context(call, state));
    checkIncoming(call, sorts, callee, state);
    boolean caught = call.landing() != Values.NONE && callee.thrown().possible();
    if (caught) {
      throwing.add(call.id());
    } else if (callee.thrown().possible()) {
      leaveBy(call, callee.thrown(), state);
    }
    if (!callee.returns() && !caught) {
      return false;
    }
    Map<Location, Cell> passed = new HashMap<>();
    for (var entry : state.cells().entrySet()) {
      int sort = sort(call, sorts, entry.getKey(), entry.getValue(), state);
      Cell after = passed(entry.getValue(), sort, callee);
      boolean unseen = !state.isEscaped(entry.getKey().base()) && (sort == Incoming.REST || caught);
      passed.put(
          entry.getKey(), unseen ? unseen(entry.getValue(), sort, callee).union(after) : after);
    }
    passed.forEach(state::put);
    escape(call, callee.escaping(), state);
    if (caught) {
      escape(call, callee.thrown().escaping(), state);
    }
    captureResult(call, callee, state);
    callee.left().forEach((left, cell) -> state.add(locate(call, left), cell));
    return true;
  }

  /** An exception of the callee leaves this function, too. */
  private void leaveBy(Step.Call call, Summary.Thrown thrown, FlowState state) {
    FlowState then = state.copy();
    escape(call, thrown.escaping(), then);
    ends.unwind(call.id(), then);
    ends.unwind(call.id(), state);
  }

  private static void escape(Step.Call call, Set<Integer> parameters, FlowState state) {
    parameters.forEach(parameter -> state.escape(call.arguments().get(parameter).base()));
  }

  /** Whether an exception of a call that was looked at may be caught. */
  boolean mayThrow(int call) {
    return throwing.contains(call);
  }

  /** Which arguments are captured; those that cannot be kept apart no longer are. */
  private Context context(Step.Call call, FlowState state) {
    Set<Integer> captured = new HashSet<>();
    Set<Integer> seen = new HashSet<>();
    Set<Integer> twice = new HashSet<>();
    for (Location argument : call.arguments()) {
      for (int object : state.objects(argument.base())) {
        if (!seen.add(object)) {
          twice.add(object);
        }
      }
    }
    for (int i = 0; i < call.arguments().size(); i++) {
      Location argument = call.arguments().get(i);
      if (state.objects(argument.base()).stream().anyMatch(twice::contains)) {
        escapes.publish(call.id(), argument.base(), state);
      }
      escapes.reveal(call.id(), argument.base(), state);
      if (!state.isEscaped(argument.base())) {
        captured.add(i);
      }
    }
    return new Context(call.routine(), captured);
  }

  /** A result that others can find gives away the arguments that it may be. */
  private static void captureResult(Step.Call call, Summary callee, FlowState state) {
    if (call.result() == Values.NONE) {
      return;
    }
    Set<Integer> objects = new HashSet<>(Set.of(call.id()));
    boolean known = callee.resultCaptured();
    for (int parameter : callee.resultObjects()) {
      int argument = call.arguments().get(parameter).base();
      known &= !state.isEscaped(argument);
      objects.addAll(state.objects(argument));
    }
    if (known) {
      state.capture(call.result(), objects);
    } else {
      escape(call, callee.resultObjects(), state);
    }
  }

  /** What the caller has left open and the callee needs clean. */
  private void checkIncoming(Step.Call call, Incoming sorts, Summary callee, FlowState state) {
    if (callee.violated().contains(Incoming.NOTED)) {
      checkNoted(call, state);
    }
    Origins dirty = Origins.NONE;
    Origins pending = Origins.NONE;
    BiPredicate<Location, Cell> concerned =
        (location, cell) ->
            state.isEscaped(location.base())
                || sort(call, sorts, location, cell, state) != Incoming.REST;
    for (var entry : state.cells().entrySet()) {
      if (!concerned.test(entry.getKey(), entry.getValue())) {
        continue;
      }
      int sort = sort(call, sorts, entry.getKey(), entry.getValue(), state);
      if (callee.violated().contains(Incoming.dirtyToken(sort))) {
        dirty = dirty.union(entry.getValue().dirty().without(requirements::isNoted));
      }
      if (callee.violated().contains(Incoming.pendingToken(sort))) {
        pending = pending.union(entry.getValue().pending());
      }
    }
    requirements.settle(call.id(), dirty, pending, concerned, state);
  }

  /** The lines that are noted before the call and the callee needs persistent. */
  private void checkNoted(Step.Call call, FlowState state) {
    Origins noted = Origins.NONE;
    for (Cell cell : state.cells().values()) {
      noted = noted.union(cell.dirty().without(origin -> !requirements.isNoted(origin)));
    }
    requirements.settleInside(call, noted, state);
  }

  /** A caller's cell after the call. */
  private Cell passed(Cell cell, int sort, Summary callee) {
    int dirtyToken = Incoming.dirtyToken(sort);
    int pendingToken = Incoming.pendingToken(sort);
    Origins stored = cell.dirty().without(requirements::isNoted);
    Origins noted = cell.dirty().without(origin -> !requirements.isNoted(origin));
    Origins dirty = callee.dirty().contains(dirtyToken) ? stored : Origins.NONE;
    if (callee.dirty().contains(Incoming.NOTED)) {
      dirty = dirty.union(noted);
    }
    Origins pending = callee.pending().contains(dirtyToken) ? stored : Origins.NONE;
    if (callee.pending().contains(pendingToken)) {
      pending = pending.union(cell.pending());
    }
    return new Cell(dirty, pending, cell.extent());
  }

  /**
   * A cell of memory that only the caller knows. The callee needs none of it clean and flushes none
   * of it; at most it fences, unless it counts on the caller for that.
   */
  private static Cell unseen(Cell cell, int sort, Summary callee) {
    int token = Incoming.pendingToken(sort);
    boolean fenced = !callee.pending().contains(token) && !callee.violated().contains(token);
    return fenced && callee.returns() ? cell.fenced() : cell;
  }

  private static int sort(
      Step.Call call, Incoming sorts, Location location, Cell cell, FlowState state) {
    if (location.base() == Values.NONE) {
      return Incoming.REST;
    }
    for (int i = 0; i < call.arguments().size(); i++) {
      Location argument = call.arguments().get(i);
      if (argument.base() == location.base()) {
        boolean relative = location.exact() && argument.terms().isEmpty();
        return relative
            ? sorts.sort(
                i,
                new Location(
                    location.base(), location.terms(), location.offset() - argument.offset(), true),
                cell)
            : Incoming.ofParameter(i);
      }
    }
    // The object may be handed over under another name.
    for (int i = 0; i < call.arguments().size(); i++) {
      int argument = call.arguments().get(i).base();
      if (!Collections.disjoint(state.objects(location.base()), state.objects(argument))) {
        return Incoming.ofParameter(i);
      }
    }
    return Incoming.REST;
  }

  private static Location locate(Step.Call call, Summary.Left left) {
    if (left.parameter() == Summary.ELSEWHERE) {
      return Location.ELSEWHERE;
    }
    if (left.parameter() == Summary.RESULT) {
      return call.result() == Values.NONE
          ? Location.ELSEWHERE
          : left.exact()
              ? Location.at(call.result(), left.offset())
              : Location.somewhereIn(call.result());
    }
    Location argument = call.arguments().get(left.parameter());
    if (argument.base() == Values.NONE) {
      return Location.ELSEWHERE;
    }
    return left.exact()
        ? new Location(argument.base(), argument.terms(), argument.offset() + left.offset(), true)
        : Location.somewhereIn(argument.base());
  }
}
