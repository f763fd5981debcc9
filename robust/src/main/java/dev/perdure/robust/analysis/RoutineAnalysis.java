package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Extent;
import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Phi;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.program.Values;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The forward data flow through one function in one context. */
final class RoutineAnalysis {
  /** After so many visits of a block its state is no longer replaced but only added to. */
  private static final int MOST_REPLACEMENTS = 40;

  private final Routine routine;
  private final Context context;
  private final Incoming incoming;
  private final Transfer transfer;
  private final BlockOrder order;
  private final boolean notesLoads;

  /**
   * @param notesLoads whether a caller may have noted lines
   */
  RoutineAnalysis(
      Routine routine,
      BlockOrder order,
      Context context,
      Incoming incoming,
      Transfer transfer,
      boolean notesLoads) {
    this.routine = routine;
    this.context = context;
    this.incoming = incoming;
    this.transfer = transfer;
    this.order = order;
    this.notesLoads = notesLoads;
  }

  /** Goes through the function until nothing changes, and returns what a call of it does. */
  Summary run() {
    int count = routine.blocks().size();
    FlowState[] out = new FlowState[count];
    int[] visits = new int[count];
    BitSet open = new BitSet();
    open.set(order.rank(0));
    while (!open.isEmpty()) {
      int rank = open.nextSetBit(0);
      open.clear(rank);
      int index = order.block(rank);
      Optional<FlowState> state = through(index, out);
      if (++visits[index] > MOST_REPLACEMENTS && out[index] != null) {
        FlowState old = out[index];
        state.ifPresent(fresh -> fresh.join(old));
      }
      if (state.isEmpty() || out[index] != null && out[index].equals(state.get())) {
        continue;
      }
      out[index] = state.get();
      for (int next : routine.blocks().get(index).successors()) {
        if (leadsTo(index, next)) {
          open.set(order.rank(next));
        }
      }
    }
    transfer.record();
    for (int index = 0; index < count; index++) {
      int block = index;
      boolean reached =
          index == 0
              || order.predecessors(index).anyMatch(p -> out[p] != null && leadsTo(p, block));
      if (reached) {
        through(index, out);
      }
    }
    return transfer.summary();
  }

  /** The state at the end of a block; empty if control does not get there. */
  private Optional<FlowState> through(int index, FlowState[] out) {
    FlowState state = entry(index, out);
    for (var step : routine.blocks().get(index).steps()) {
      if (!transfer.apply(step, state)) {
        return Optional.empty();
      }
    }
    return Optional.of(state);
  }

  private FlowState entry(int index, FlowState[] out) {
    FlowState state = index == 0 ? initial() : new FlowState();
    order
        .predecessors(index)
        .filter(predecessor -> out[predecessor] != null && leadsTo(predecessor, index))
        .forEach(predecessor -> state.join(alongEdge(out[predecessor], predecessor, index)));
    return state;
  }

  /** Whether control may go from the end of a block to another: not where nothing is thrown. */
  private boolean leadsTo(int from, int to) {
    List<Step> steps = routine.blocks().get(from).steps();
    boolean landing =
        !steps.isEmpty()
            && steps.get(steps.size() - 1) instanceof Step.Call call
            && call.landing() == to;
    return !landing || transfer.throwsInto((Step.Call) steps.get(steps.size() - 1));
  }

  private FlowState initial() {
    FlowState state = new FlowState();
    for (int i = 0; i < routine.parameters().size(); i++) {
      int parameter = routine.parameters().get(i);
      if (context.captured().contains(i)) {
        state.capture(parameter, Set.of(Context.objectOf(i)));
      }
      token(state, Location.somewhereIn(parameter), Incoming.ofParameter(i), Extent.STRING);
    }
    token(state, Location.ELSEWHERE, Incoming.REST, Extent.STRING);
    if (notesLoads) {
      state.add(Location.ELSEWHERE, Cell.dirty(Incoming.NOTED, Extent.STRING));
    }
    for (int i = 0; i < incoming.places().size(); i++) {
      Place place = incoming.places().get(i);
      token(state, place.location(), 1 + incoming.parameters() + i, place.extent());
    }
    return state;
  }

  private static void token(FlowState state, Location location, int sort, Extent extent) {
    state.add(
        location,
        Cell.dirty(Incoming.dirtyToken(sort), extent)
            .union(Cell.pending(Incoming.pendingToken(sort), extent)));
  }

  private FlowState alongEdge(FlowState before, int from, int to) {
    List<Phi> phis = routine.blocks().get(to).phis();
    if (phis.isEmpty()) {
      return before;
    }
    FlowState state = before.copy();
    Map<Integer, Set<Integer>> captured = new HashMap<>();
    for (Phi phi : phis) {
      int source = phi.sources().getOrDefault(from, Values.NONE);
      if (source != Values.NONE && !before.isEscaped(source)) {
        captured.put(phi.value(), before.objects(source));
      }
    }
    phis.forEach(phi -> state.define(phi.value()));
    for (Phi phi : phis) {
      if (captured.containsKey(phi.value())) {
        state.capture(phi.value(), captured.get(phi.value()));
      } else if (phi.sources().getOrDefault(from, Values.NONE) != Values.NONE) {
        state.markEscaped(phi.value());
      }
    }
    return state;
  }
}
