package dev.perdure.llvm.labels;

import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.instrument.Instrumentation;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Function;
import java.util.SplittableRandom;

/**
 * Notes each pair of blocks that follow each other, in a map of bytes by their hash, as AFL does.
 */
public final class BranchCoverage implements Instrumentation.Addition {
  private static final int MAP_BYTES = 1 << 16;

  /** The same for each build of a program. */
  private final SplittableRandom numbers = new SplittableRandom(1);

  @Override
  public boolean usesLabels() {
    return true;
  }

  @Override
  public void instrument(Function function, Hooks hooks) {
    boolean entry = true;
    for (Block block : function.blocks()) {
      hooks.before(entry ? block.afterAllocas() : block.firstInsertionPoint());
      entry = false;
      hooks.call("block", hooks.int32(numbers.nextInt(MAP_BYTES)));
    }
  }
}
