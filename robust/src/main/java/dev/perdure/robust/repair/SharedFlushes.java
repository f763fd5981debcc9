package dev.perdure.robust.repair;

import dev.perdure.robust.analysis.Repairs;
import dev.perdure.robust.program.CodeBlock;
import dev.perdure.robust.program.Extent;
import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.program.Values;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Stores to neighbouring fields of one object that follow each other in a block, with no fence
 * between them, are flushed together behind the last one. Nothing in between needs the earlier ones
 * to be flushed, since only a fence would make a difference.
 */
final class SharedFlushes {
  private static final int LINE = 64;

  private final Map<Integer, Place> places = new HashMap<>();
  private final Set<Integer> postponed = new HashSet<>();

  SharedFlushes(Iterable<CodeBlock> blocks, Repairs repairs) {
    blocks.forEach(block -> share(block, repairs));
  }

  /** Whether a later flush covers the store of this step. */
  boolean isPostponed(int step) {
    return postponed.contains(step);
  }

  /** What is flushed behind a step. */
  Place place(int step, Place own) {
    return places.getOrDefault(step, own);
  }

  private void share(CodeBlock block, Repairs repairs) {
    Map<Integer, Step.Write> last = new HashMap<>();
    for (Step step : block.steps()) {
      if (!keepsOrder(step, repairs)) {
        last.clear();
      }
      if (step instanceof Step.Definition definition) {
        last.remove(definition.value());
      }
      if (!(step instanceof Step.Write write) || !isSimple(write, repairs)) {
        continue;
      }
      int base = write.place().location().base();
      Step.Write before = last.put(base, write);
      if (before != null) {
        Place whole = hull(place(before.id(), before.place()), write.place());
        if (whole.extent().bytes() <= LINE) {
          postponed.add(before.id());
          places.put(write.id(), whole);
        }
      }
    }
  }

  private static boolean keepsOrder(Step step, Repairs repairs) {
    boolean quiet =
        step instanceof Step.Write write && write.manner() == Step.Manner.PLAIN
            || step instanceof Step.Definition
            || step instanceof Step.Copy
            || step instanceof Step.Allocation
            || step instanceof Step.Flush flush && !flush.ordered();
    return quiet && !repairs.fencesBefore(step.id()) && !repairs.drainsBefore(step.id());
  }

  private static boolean isSimple(Step.Write write, Repairs repairs) {
    Place place = write.place();
    return write.manner() == Step.Manner.PLAIN
        && repairs.flushesAfter(write.id())
        && place.location().isConstant()
        && place.location().base() != Values.NONE
        && place.extent().isConstant();
  }

  private static Place hull(Place a, Place b) {
    long start = Math.min(a.location().offset(), b.location().offset());
    long end =
        Math.max(
            a.location().offset() + a.extent().bytes(), b.location().offset() + b.extent().bytes());
    return new Place(
        Location.at(a.location().base(), start), Extent.of(end - start), a.alignment());
  }
}
