package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import java.util.HashSet;
import java.util.Set;

/** Steps of a program that the analysis asks for by their numbers. */
final class StepKinds {
  private StepKinds() {}

  /** Which steps are atomic loads. */
  static Set<Integer> atomicReads(Program program) {
    Set<Integer> reads = new HashSet<>();
    program.routines().stream()
        .flatMap(routine -> routine.blocks().stream())
        .flatMap(block -> block.steps().stream())
        .filter(Step.AtomicRead.class::isInstance)
        .forEach(step -> reads.add(step.id()));
    return reads;
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
