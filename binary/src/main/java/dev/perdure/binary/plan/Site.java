package dev.perdure.binary.plan;

import dev.perdure.binary.flow.FrameRow;

/**
 * What every gate of an observed instruction is told.
 *
 * @param number among the sites of the module
 * @param frame where its caller is found, as {@link dev.perdure.binary.flow.FrameRow} packs it
 */
record Site(int number, int frame) {
  private static final int RBP = 1 << 5;

  /**
   * Registers that must have their values when a gate is called, though the function may not need
   * them any more: callers are found by them.
   */
  int kept() {
    return FrameRow.unpacked(0, frame).needsRbp() ? RBP : 0;
  }
}
