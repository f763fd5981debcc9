package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.program.Values;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  Calls(
      List<Incoming> incoming,
      Function<Context, Summary> summaries,
      Requirements requirements,
      Escapes escapes) {
    this.incoming = incoming;
    this.summaries = summaries;
    this.requirements = requirements;
    this.escapes = escapes;
  }

  /** Changes the state by what a call does; returns whether it comes back. */
  boolean call(Step.Call call, FlowState state) {
    Incoming sorts = incoming.get(call.routine());
    Summary callee = summaries.apply(context(call, state));
    checkIncoming(call, sorts, callee, state);
    if (!callee.returns()) {
      return false;
    }
    Map<Location, Cell> passed = new HashMap<>();
    for (var entry : state.cells().entrySet()) {
      int sort = sort(call, sorts, entry.getKey(), entry.getValue());
      passed.put(entry.getKey(), passed(entry.getValue(), sort, callee));
    }
    passed.forEach(state::put);
    for (int parameter : callee.escaping()) {
      state.escape(call.arguments().get(parameter).base());
    }
    captureResult(call, callee, state);
    callee.left().forEach((left, cell) -> state.add(locate(call, left), cell));
    return true;
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

  private static void captureResult(Step.Call call, Summary callee, FlowState state) {
    if (call.result() != Values.NONE && callee.resultCaptured()) {
      Set<Integer> objects = new HashSet<>(Set.of(call.id()));
      boolean known = true;
      for (int parameter : callee.resultObjects()) {
        int argument = call.arguments().get(parameter).base();
        known &= !state.isEscaped(argument);
        objects.addAll(state.objects(argument));
      }
      if (known) {
        state.capture(call.result(), objects);
      }
    }
  }

  /** What the caller has left open and the callee needs clean. */
  private void checkIncoming(Step.Call call, Incoming sorts, Summary callee, FlowState state) {
    Origins dirty = Origins.NONE;
    Origins pending = Origins.NONE;
    for (var entry : state.cells().entrySet()) {
      int sort = sort(call, sorts, entry.getKey(), entry.getValue());
      boolean concerned = state.isEscaped(entry.getKey().base()) || sort != Incoming.REST;
      if (concerned && callee.violated().contains(Incoming.dirtyToken(sort))) {
        dirty = dirty.union(entry.getValue().dirty());
      }
      if (concerned && callee.violated().contains(Incoming.pendingToken(sort))) {
        pending = pending.union(entry.getValue().pending());
      }
    }
    requirements.settle(call.id(), dirty, pending, state);
  }

  /** A caller's cell after the call. */
  private static Cell passed(Cell cell, int sort, Summary callee) {
    int dirtyToken = Incoming.dirtyToken(sort);
    int pendingToken = Incoming.pendingToken(sort);
    Origins dirty = callee.dirty().contains(dirtyToken) ? cell.dirty() : Origins.NONE;
    Origins pending = callee.pending().contains(dirtyToken) ? cell.dirty() : Origins.NONE;
    if (callee.pending().contains(pendingToken)) {
      pending = pending.union(cell.pending());
    }
    return new Cell(dirty, pending, cell.extent());
  }

  private static int sort(Step.Call call, Incoming sorts, Location location, Cell cell) {
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
