package dev.perdure.robust.repair;

import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Step;
import java.util.List;

/**
 * What the program does by itself and inserted fences depend on: they wait only if something was
 * flushed since the last fence, the program's own flushes and fences included.
 */
final class OwnPersistence {
  private final Program program;
  private final Insertions insertions;

  OwnPersistence(Program program, Insertions insertions) {
    this.program = program;
    this.insertions = insertions;
  }

  /** Backwards, so that of an instruction that flushes and then fences the fence comes last. */
  void follow(List<Step> steps) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      if (flushes(step) && !isRange(step)) {
        insertions.openedBy(step.id());
      } else if (step instanceof Step.Fence) {
        insertions.closedBy(step.id());
      }
    }
  }

  private static boolean flushes(Step step) {
    return step instanceof Step.Flush flush && !flush.ordered()
        || step instanceof Step.Write write && write.manner() == Step.Manner.NON_TEMPORAL;
  }

  /** A loop that flushes a range stands at the jump to it; the flush inside is a step as well. */
  private boolean isRange(Step step) {
    Instruction instruction = program.instruction(step.id());
    return instruction.next().isEmpty() && instruction.opcode() != Opcode.INVOKE;
  }
}
