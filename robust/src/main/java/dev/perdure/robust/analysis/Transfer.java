package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.program.Values;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * The transfer functions (PMRobust, figures 8 and 9) and the three kinds of violation, for one
 * function in one context. Collects the function's summary on the way.
 */
final class Transfer {
  private final Routine routine;
  private final Context context;
  private final IntPredicate isAtomicRead;
  private final List<Incoming> incoming;
  private final Function<Context, Summary> summaries;
  private final Repairs repairs;
  private final Reporter reporter;
  private final Set<Integer> violated = new HashSet<>();
  private Summary summary = Summary.UNKNOWN_YET;
  private boolean recording;

  Transfer(
      Routine routine,
      Context context,
      IntPredicate isAtomicRead,
      List<Incoming> incoming,
      Function<Context, Summary> summaries,
      Repairs repairs,
      Reporter reporter) {
    this.routine = routine;
    this.context = context;
    this.isAtomicRead = isAtomicRead;
    this.incoming = incoming;
    this.summaries = summaries;
    this.repairs = repairs;
    this.reporter = reporter;
  }

  /** The number of the object that a captured parameter points to. */
  static int objectOf(int parameter) {
    return -1 - parameter;
  }

  /** From here on the states are final: violations are reported, the summary is made. */
  void record() {
    recording = true;
  }

  Summary summary() {
    return summary.join(
        new Summary(false, violated, Set.of(), Set.of(), Map.of(), Set.of(), Set.of(), true));
  }

  /** Changes the state by what a step does; returns whether control goes on behind it. */
  boolean apply(Step step, FlowState state) {
    if (repairs.fencesBefore(step.id())) {
      state.fence();
    }
    if (repairs.drainsBefore(step.id())) {
      state.change(cell -> cell.without(this::isDeferred));
    }
    if (step instanceof Step.Write write) {
      write(write, state);
    } else if (step instanceof Step.AtomicRead read) {
      atomicRead(read, state);
    } else if (step instanceof Step.Fetch fetch) {
      reveal(fetch.id(), fetch.reference(), state);
    } else if (step instanceof Step.Publication publication) {
      publish(publication.id(), publication.reference(), state);
    } else if (step instanceof Step.Release release) {
      check(step.id(), state, (location, cell) -> true, origin -> false, release.fences());
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
      copy(copy, state);
    } else if (step instanceof Step.Definition definition) {
      state.define(definition.value());
    } else if (step instanceof Step.Call call) {
      return call(call, state);
    } else if (step instanceof Step.Exit exit) {
      exit(exit, state);
    } else if (step instanceof Step.Return end) {
      if (recording) {
        summary = summary.join(atReturn(end, state));
      }
    }
    return true;
  }

  private void write(Step.Write write, FlowState state) {
    Location location = write.place().location();
    boolean exchange = write.manner() == Step.Manner.EXCHANGE;
    boolean shared = exchange || write.manner() == Step.Manner.ATOMIC;
    put(write.stored(), location.base(), state);
    if (write.relaxed() || repairs.isExempt(write.id())) {
      if (exchange) {
        state.fence();
      }
      return;
    }
    if (repairs.turnsBefore(write.id())) {
      // The line that was held is persistent, or is the one of this store.
      state.change(cell -> cell.without(repairs::holds));
    }
    boolean visible = state.isEscaped(location.base());
    boolean counted = repairs.counters() && shared && visible;
    if (visible) {
      if (recording) {
        reporter.reachable(write.id());
      }
      BiPredicate<Location, Cell> others =
          (other, cell) ->
              !other.equals(location) && !write.place().sharesLine(other, cell.extent());
      if (counted) {
        // The counter's locked instruction is the fence that the function's own stores need.
        check(write.id(), state, others, origin -> origin < 0, exchange);
      }
      check(write.id(), state, others, origin -> false, exchange || counted);
    }
    if (exchange || counted) {
      state.fence();
    }
    Cell old = state.cells().get(location);
    Cell tokens =
        old == null
            ? new Cell(Origins.NONE, Origins.NONE, write.place().extent())
            : old.without(origin -> origin >= 0 && covers(write.place(), old));
    if (counted) {
      // The counter is raised before and lowered behind the flush by locked instructions.
      repairs.flushAfter(write.id());
      state.put(location, tokens);
      return;
    }
    boolean flushed =
        write.manner() == Step.Manner.NON_TEMPORAL || repairs.flushesAfter(write.id());
    Cell fresh =
        flushed
            ? Cell.pending(write.id(), write.place().extent())
            : Cell.dirty(write.id(), write.place().extent());
    state.put(location, tokens.isClean() ? fresh : fresh.union(tokens));
  }

  /**
   * A reference is stored. Into an object of this function that nobody can reach, either, it can go
   * without being reachable; what callers know of their objects has no word for that.
   */
  private static void put(int reference, int into, FlowState state) {
    boolean local =
        !state.isEscaped(reference)
            && !state.isEscaped(into)
            && state.objects(reference).stream().allMatch(object -> object >= 0)
            && state.objects(into).stream().allMatch(object -> object >= 0);
    if (local) {
      state.enclose(reference, into);
    } else {
      state.escape(reference);
    }
  }

  /** What leaves the function, or is loaded from, may give away what it encloses. */
  private void reveal(int id, int reference, FlowState state) {
    if (state.encloses(reference)) {
      publish(id, reference, state);
    }
  }

  /** A store whose line is held, or an atomic load whose line is noted. */
  private boolean isDeferred(int origin) {
    return origin >= 0
        && (repairs.holds(origin)
            || !repairs.counters() && isAtomicRead.test(origin) && repairs.flushesAfter(origin));
  }

  /** Whether a store takes the place of everything that the cell stands for. */
  private static boolean covers(Place place, Cell old) {
    return place.extent().equals(old.extent())
        || place.extent().isConstant()
            && old.extent().isConstant()
            && place.extent().bytes() >= old.extent().bytes();
  }

  private void atomicRead(Step.AtomicRead read, FlowState state) {
    Location location = read.place().location();
    boolean exempt = read.relaxed() || repairs.isExempt(read.id());
    if (!exempt && state.isEscaped(location.base())) {
      state.add(
          location,
          repairs.flushesAfter(read.id()) && repairs.counters()
              ? Cell.pending(read.id(), read.place().extent())
              : Cell.dirty(read.id(), read.place().extent()));
    }
  }

  /**
   * A reference is stored outside of persistent memory. If more than one location of its object is
   * not clean, others could from now on see one of them without the other.
   */
  private void publish(int id, int reference, FlowState state) {
    if (state.isEscaped(reference)) {
      return;
    }
    state.escape(reference);
    long unclean =
        state.cells().keySet().stream().filter(location -> location.base() == reference).count();
    if (unclean > 1) {
      check(id, state, (location, cell) -> true, origin -> false, false);
    }
  }

  private static void copy(Step.Copy copy, FlowState state) {
    Set<Integer> objects = new HashSet<>();
    boolean captured = !copy.sources().isEmpty();
    for (int source : copy.sources()) {
      captured &= !state.isEscaped(source);
      objects.addAll(state.objects(source));
    }
    if (captured) {
      state.capture(copy.target(), objects);
    }
  }

  private void exit(Step.Exit exit, FlowState state) {
    reveal(exit.id(), exit.returned(), state);
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
        origin -> !loadsCount && isAtomicRead.test(origin) || !exit.last() && origin < 0;
    check(exit.id(), state, mustBeClean, ignored, false);
  }

  /**
   * Everything in the given locations that others can reach must be clean.
   *
   * @param ignored origins that need not be
   * @param onlyDirty whether the step is itself a fence, so that flushed memory will do
   */
  private void check(
      int point,
      FlowState state,
      BiPredicate<Location, Cell> where,
      IntPredicate ignored,
      boolean onlyDirty) {
    Origins dirty = Origins.NONE;
    Origins pending = Origins.NONE;
    for (var entry : state.cells().entrySet()) {
      Location location = entry.getKey();
      if (where.test(location, entry.getValue()) && state.isEscaped(location.base())) {
        dirty = dirty.union(entry.getValue().dirty().without(ignored));
        pending = pending.union(entry.getValue().pending().without(ignored));
      }
    }
    settle(point, dirty, onlyDirty ? Origins.NONE : pending, state);
  }

  private boolean call(Step.Call call, FlowState state) {
    Incoming sorts = incoming.get(call.routine());
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
        publish(call.id(), argument.base(), state);
      }
      reveal(call.id(), argument.base(), state);
      if (!state.isEscaped(argument.base())) {
        captured.add(i);
      }
    }
    Summary callee = summaries.apply(new Context(call.routine(), captured));
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
    callee.left().forEach((left, cell) -> state.add(locate(call, left), cell));
    return true;
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
    settle(call.id(), dirty, pending, state);
  }

  /**
   * What is not clean and has to be: the function's own stores are reported, the caller's are its
   * caller's matter. Either way they count as persistent from here on, so that one fault is not
   * reported again at each later step.
   */
  private void settle(int point, Origins dirty, Origins pending, FlowState state) {
    Origins all = dirty.union(pending);
    if (all.isEmpty()) {
      return;
    }
    boolean own = all.stream().anyMatch(origin -> origin >= 0);
    if (own && reporter.placesFences()) {
      if (all.stream().anyMatch(this::isDeferred)) {
        repairs.drainBefore(point);
        state.change(cell -> cell.without(this::isDeferred));
      }
      if (all.stream().anyMatch(origin -> origin >= 0 && !isDeferred(origin))) {
        repairs.fenceBefore(point);
        state.fence();
        all = dirty;
      }
    }
    if (recording) {
      report(dirty, point, false);
      report(pending, point, true);
      all.stream().filter(origin -> origin < 0).forEach(violated::add);
    }
    Origins done = all;
    state.change(cell -> cell.without(done::contains));
  }

  private void report(Origins origins, int point, boolean flushed) {
    origins.stream()
        .filter(origin -> origin >= 0)
        .forEach(o -> reporter.violation(new Violation(routine.index(), o, point, flushed)));
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

  private Summary atReturn(Step.Return end, FlowState state) {
    Set<Integer> dirty = new HashSet<>();
    Set<Integer> pending = new HashSet<>();
    Map<Summary.Left, Cell> left = new HashMap<>();
    for (var entry : state.cells().entrySet()) {
      Cell cell = entry.getValue();
      cell.dirty().stream().filter(o -> o < 0).forEach(dirty::add);
      cell.pending().stream().filter(o -> o < 0).forEach(pending::add);
      Cell own = cell.without(origin -> origin < 0);
      boolean lost =
          !isKnownToCaller(entry.getKey(), end) && !state.isEscaped(entry.getKey().base());
      if (!own.isClean() && !lost) {
        left.merge(relative(entry.getKey(), end, cell), own, Cell::union);
      }
    }
    Set<Integer> escaping = new HashSet<>();
    for (int parameter : context.captured()) {
      if (state.isEscaped(routine.parameters().get(parameter))) {
        escaping.add(parameter);
      }
    }
    int result = end.returned().base();
    Set<Integer> aliases = new HashSet<>();
    for (int object : state.objects(result)) {
      if (object < 0) {
        aliases.add(-1 - object);
      }
    }
    return new Summary(
        true,
        Set.of(),
        dirty,
        pending,
        left,
        escaping,
        aliases,
        result == Values.NONE || !state.isEscaped(result));
  }

  private boolean isKnownToCaller(Location location, Step.Return end) {
    return location.base() != Values.NONE
        && (location.base() == end.returned().base()
            || routine.parameters().contains(location.base()));
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

  /** Which steps are atomic loads. */
  static IntPredicate atomicReads(Program program) {
    Set<Integer> reads = new HashSet<>();
    program.routines().stream()
        .flatMap(routine -> routine.blocks().stream())
        .flatMap(block -> block.steps().stream())
        .filter(Step.AtomicRead.class::isInstance)
        .forEach(step -> reads.add(step.id()));
    return reads::contains;
  }

  /** Which steps are ordinary stores that lie in one cache line, wherever that is. */
  static Set<Integer> oneLineStores(Program program) {
    Set<Integer> stores = new HashSet<>();
    for (Routine routine : program.routines()) {
      for (var block : routine.blocks()) {
        for (Step step : block.steps()) {
          if (step instanceof Step.Write write
              && write.manner() == Step.Manner.PLAIN
              && !write.relaxed()
              && write.place().extent().oneLine()) {
            stores.add(write.id());
          }
        }
      }
    }
    return stores;
  }
}
