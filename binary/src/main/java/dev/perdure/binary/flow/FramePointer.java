package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;

/** Whether a function keeps rbp for its stack frame. */
public final class FramePointer {
  private static final int RSP = 4;
  private static final int RBP = 5;
  private static final int POP_RBP = 0x5d;
  private static final int LEAVE = 0xc9;

  private FramePointer() {}

  /** Whether rbp is nothing but a frame pointer: only set from rsp, and restored. */
  public static boolean isKeptBy(Function function) {
    boolean set = false;
    for (Instruction i : function.code()) {
      if ((i.writes() & 1 << RBP) != 0) {
        boolean fromStack =
            !i.hasMemory() && i.operation() == Operation.MOVE && i.reads() == 1 << RSP;
        if (!fromStack && i.opcode() != POP_RBP && i.opcode() != LEAVE) {
          return false;
        }
        set |= fromStack;
      }
    }
    return set;
  }
}
