package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Step;
import java.util.function.BiPredicate;

/** Stores to persistent memory and atomic loads of it. */
final class Accesses {
  private final Repairs repairs;
  private final Requirements requirements;

  Accesses(Repairs repairs, Requirements requirements) {
    this.repairs = repairs;
    this.requirements = requirements;
  }

  void write(Step.Write write, FlowState state) {
    Location location = write.place().location();
    boolean exchange = write.manner() == Step.Manner.EXCHANGE;
    boolean shared = exchange || write.manner() == Step.Manner.ATOMIC;
    Escapes.put(write.stored(), location.base(), state);
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
      requirements.reachable(write.id());
      BiPredicate<Location, Cell> others =
          (other, cell) ->
              !other.equals(location) && !write.place().sharesLine(other, cell.extent());
      if (write.manner() == Step.Manner.BESIDE) {
        others = (other, cell) -> false;
      }
      if (counted) {
        // The counter's locked instruction is the fence that the function's own stores need.
        requirements.check(write.id(), state, others, origin -> origin < 0, exchange);
      }
      requirements.check(write.id(), state, others, origin -> false, exchange || counted);
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

  /** Whether a store takes the place of everything that the cell stands for. */
  private static boolean covers(Place place, Cell old) {
    return place.extent().equals(old.extent())
        || place.extent().isConstant()
            && old.extent().isConstant()
            && place.extent().bytes() >= old.extent().bytes();
  }

  void atomicRead(Step.AtomicRead read, FlowState state) {
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
}
