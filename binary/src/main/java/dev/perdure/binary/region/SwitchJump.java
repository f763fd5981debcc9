package dev.perdure.binary.region;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.flow.Function;

/**
 * Tells the jumps of a switch from calls through a pointer: the target is the sum of a table's
 * entry and its address, as position-independent code has it. Any other jump through a register or
 * memory may be a call.
 */
final class SwitchJump {
  private static final int FARTHEST = 8;

  private SwitchJump() {}

  static boolean is(Function f, int index) {
    Instruction jump = f.code().get(index);
    if (jump.hasMemory()) {
      return false;
    }
    int target = 1 << jump.operands().rm();
    for (int i = index - 1; i >= Math.max(0, index - FARTHEST); i--) {
      Instruction x = f.code().get(i);
      if ((x.changes() & target) != 0) {
        return x.operands().oneByte()
            && !x.hasMemory()
            && (x.opcode() == 0x01 || x.opcode() == 0x03);
      }
    }
    return false;
  }
}
