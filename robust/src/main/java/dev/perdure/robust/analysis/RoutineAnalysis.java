package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Extent;
import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Phi;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/** The forward data flow through one function in one context. */
final class RoutineAnalysis {
  private final Routine routine;
  private final Context context;
  private final Incoming incoming;
  private final Transfer transfer;
  private final int[] order;
  private final List<List<Integer>> predecessors;

  RoutineAnalysis(Routine routine, Context context, Incoming incoming, Transfer transfer) {
    this.routine = routine;
    this.context = context;
    this.incoming = incoming;
    this.transfer = transfer;
    this.order = reversePostorder(routine);
    this.predecessors = predecessors(routine);
  }

  /** Goes through the function until nothing changes, and returns what a call of it does. */
  Summary run() {
    int count = routine.blocks().size();
    FlowState[] out = new FlowState[count];
    PriorityQueue<Integer> open =
        new PriorityQueue<>((a, b) -> Integer.compare(order[a], order[b]));
    Set<Integer> queued = new HashSet<>();
    open.add(0);
    queued.add(0);
    while (!open.isEmpty()) {
      int index = open.poll();
      queued.remove(index);
      Optional<FlowState> state = through(index, out);
      if (state.isEmpty() || out[index] != null && out[index].equals(state.get())) {
        continue;
      }
      out[index] = state.get();
      for (int next : routine.blocks().get(index).successors()) {
        if (queued.add(next)) {
          open.add(next);
        }
      }
    }
    transfer.record();
    for (int index = 0; index < count; index++) {
      boolean reached =
          index == 0 || predecessors.get(index).stream().anyMatch(p -> out[p] != null);
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
    for (int predecessor : predecessors.get(index)) {
      if (out[predecessor] != null) {
        state.join(alongEdge(out[predecessor], predecessor, index));
      }
    }
    return state;
  }

  private FlowState initial() {
    FlowState state = new FlowState();
    for (int i = 0; i < routine.parameters().size(); i++) {
      int parameter = routine.parameters().get(i);
      if (context.captured().contains(i)) {
        state.capture(parameter, Set.of(Transfer.objectOf(i)));
      }
      token(state, Location.somewhereIn(parameter), Incoming.ofParameter(i), Extent.STRING);
    }
    token(state, Location.ELSEWHERE, Incoming.REST, Extent.STRING);
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

  private static List<List<Integer>> predecessors(Routine routine) {
    List<List<Integer>> result = new ArrayList<>();
    routine.blocks().forEach(block -> result.add(new ArrayList<>()));
    for (int i = 0; i < routine.blocks().size(); i++) {
      for (int next : routine.blocks().get(i).successors()) {
        result.get(next).add(i);
      }
    }
    return result;
  }

  private static int[] reversePostorder(Routine routine) {
    int count = routine.blocks().size();
    int[] order = new int[count];
    boolean[] seen = new boolean[count];
    int number = count;
    int[] stack = new int[count + 1];
    int[] child = new int[count];
    int depth = 0;
    stack[depth++] = 0;
    seen[0] = true;
    while (depth > 0) {
      int block = stack[depth - 1];
      List<Integer> next = routine.blocks().get(block).successors();
      if (child[block] < next.size()) {
        int successor = next.get(child[block]++);
        if (!seen[successor]) {
          seen[successor] = true;
          stack[depth++] = successor;
        }
      } else {
        order[block] = --number;
        depth--;
      }
    }
    return order;
  }
}
