package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.program.Values;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;

/** The ends of a function: what must be clean there, and what its callers are told. */
final class Ends {
  private final Routine routine;
  private final Context context;
  private final IntPredicate isAtomicRead;
  private final Requirements requirements;
  private final Escapes escapes;
  private Summary.Thrown thrown = Summary.Thrown.NOTHING;

  Ends(
      Routine routine,
      Context context,
      IntPredicate isAtomicRead,
      Requirements requirements,
      Escapes escapes) {
    this.routine = routine;
    this.context = context;
    this.isAtomicRead = isAtomicRead;
    this.requirements = requirements;
    this.escapes = escapes;
  }

  void exit(Step.Exit exit, FlowState state) {
    if (routine.callable()) {
      escapes.publish(exit.id(), exit.returned(), state);
    } else {
      escapes.reveal(exit.id(), exit.returned(), state);
    }
    BiPredicate<Location, Cell> mustBeClean =
        (location, cell) -> {
          boolean known =
              location.base() != Values.NONE
                  && (location.base() == exit.returned()
                      || routine.parameters().contains(location.base()));
          return exit.last() || routine.callable() || !known;
        };
    // A function that others call ends as a thread may: whoever waits for it may rely on its loads.
    boolean loadsCount = routine.callable() && !exit.last();
    IntPredicate ignored =
        origin ->
            !loadsCount && (isAtomicRead.test(origin) || origin == Incoming.NOTED)
                || !exit.last() && origin < 0;
    // A fence needs no name: what is flushed and waits for one, the caller can look after.
    boolean fencedLater = !exit.last() && !routine.callable();
    requirements.check(exit.id(), state, mustBeClean, ignored, fencedLater);
  }

  /** What a call does that ends with this return. */
  Summary summary(Step.Return end, FlowState state) {
    Set<Integer> dirty = new HashSet<>();
    Set<Integer> pending = new HashSet<>();
    Map<Summary.Left, Cell> left = new HashMap<>();
    for (var entry : state.cells().entrySet()) {
      Cell cell = entry.getValue();
      cell.dirty().stream().filter(o -> o < 0).forEach(dirty::add);
      cell.pending().stream().filter(o -> o < 0).forEach(pending::add);
      Cell own = cell.without(origin -> origin < 0);
      if (!own.isClean()) {
        for (Summary.Left place : places(entry.getKey(), end, cell, state)) {
          left.merge(place, own, Cell::union);
        }
      }
    }
    int result = end.returned().base();
    Set<Integer> aliases = new HashSet<>();
    for (int object : state.objects(result)) {
      if (object < 0) {
        aliases.add(Context.parameterOf(object));
      }
    }
    return new Summary(
        true,
        Set.of(),
        dirty,
        pending,
        left,
        escaping(state),
        aliases,
        result == Values.NONE || !state.isEscaped(result),
        Summary.Thrown.NOTHING);
  }

  /** What a call does that an exception ends. */
  Summary.Thrown thrown() {
    return thrown;
  }

  /**
   * An exception may leave the function. Who catches it learns nothing of the function's stores:
   * also those to new objects of the caller must be persistent.
   */
  void unwind(int point, FlowState state) {
    Origins dirty = Origins.NONE;
    Origins pending = Origins.NONE;
    BiPredicate<Location, Cell> ofCaller =
        (location, cell) -> routine.parameters().contains(location.base());
    for (var entry : state.cells().entrySet()) {
      if (ofCaller.test(entry.getKey(), entry.getValue())) {
        dirty = dirty.union(entry.getValue().dirty().without(origin -> origin < 0));
        pending = pending.union(entry.getValue().pending().without(origin -> origin < 0));
      }
    }
    requirements.settle(point, dirty, pending, ofCaller, state);
    if (requirements.isRecording()) {
      thrown = thrown.join(new Summary.Thrown(true, escaping(state)));
    }
  }

  private Set<Integer> escaping(FlowState state) {
    Set<Integer> escaping = new HashSet<>();
    for (int parameter : context.captured()) {
      if (state.isEscaped(routine.parameters().get(parameter))) {
        escaping.add(parameter);
      }
    }
    return escaping;
  }

  /** How the caller may find a location; not at all if it belongs to an object that is lost. */
  private Set<Summary.Left> places(Location location, Step.Return end, Cell cell, FlowState state) {
    boolean named =
        location.base() != Values.NONE
            && (location.base() == end.returned().base()
                || routine.parameters().contains(location.base()));
    if (named || state.isEscaped(location.base())) {
      return Set.of(relative(location, end, cell));
    }
    Set<Summary.Left> places = new HashSet<>();
    Set<Integer> objects = state.objects(location.base());
    for (int object : objects) {
      if (object < 0) {
        places.add(new Summary.Left(Context.parameterOf(object), 0, false, cell.extent()));
      }
    }
    if (!Collections.disjoint(objects, state.objects(end.returned().base()))) {
      places.add(new Summary.Left(Summary.RESULT, 0, false, cell.extent()));
    }
    return places;
  }

  private Summary.Left relative(Location location, Step.Return end, Cell cell) {
    if (location.base() != Values.NONE && location.base() == end.returned().base()) {
      boolean exact = location.isConstant() && end.returned().isConstant();
      long offset = exact ? location.offset() - end.returned().offset() : 0;
      return new Summary.Left(Summary.RESULT, offset, exact, cell.extent());
    }
    int parameter = routine.parameters().indexOf(location.base());
    boolean exact = location.isConstant();
    return parameter >= 0
        ? new Summary.Left(parameter, exact ? location.offset() : 0, exact, cell.extent())
        : new Summary.Left(Summary.ELSEWHERE, 0, false, cell.extent());
  }
}
