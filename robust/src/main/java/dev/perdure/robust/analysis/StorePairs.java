package dev.perdure.robust.analysis;

import dev.perdure.robust.program.CodeBlock;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Step;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores that follow each other in a block, with nothing between them that persistence depends on.
 * Whether the two lie in one cache line can be found out when the program runs, before the second:
 * if so, they become persistent in their order by themselves, and what flushes the second flushes
 * the first.
 */
final class StorePairs {
  private final Map<Integer, Step.Write> firsts = new HashMap<>();

  StorePairs(Program program) {
    program.routines().forEach(routine -> routine.blocks().forEach(this::read));
  }

  /** The first store of a pair, given the second. */
  Optional<Step.Write> before(int second) {
    return Optional.ofNullable(firsts.get(second));
  }

  private void read(CodeBlock block) {
    Step.Write last = null;
    for (Step step : block.steps()) {
      if (step instanceof Step.Write write) {
        boolean simple = isSimple(write);
        if (simple && last != null) {
          firsts.put(write.id(), last);
        }
        last = simple ? write : null;
      } else if (!isQuiet(step)) {
        last = null;
      }
    }
  }

  private static boolean isSimple(Step.Write write) {
    return write.manner() == Step.Manner.PLAIN
        && !write.relaxed()
        && write.place().extent().oneLine();
  }

  private static boolean isQuiet(Step step) {
    return step instanceof Step.Definition
        || step instanceof Step.Copy
        || step instanceof Step.Allocation;
  }
}
