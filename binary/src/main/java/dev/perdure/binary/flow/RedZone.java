package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;

/** The 128 bytes below the stack pointer, which functions may use that call nobody. */
public final class RedZone {
  private static final int RSP = 4;

  private RedZone() {}

  /** Whether the function may keep something there: it makes no calls, or names a place there. */
  public static boolean mayBeUsedBy(Function function) {
    boolean calls = false;
    for (Instruction i : function.code()) {
      calls |= i.operation() == Operation.CALL || i.operation() == Operation.INDIRECT_CALL;
      boolean onStack = i.hasMemory() && i.memory().base() == RSP;
      if (onStack && (i.memory().displacement() < 0 || i.memory().index() >= 0)) {
        return true;
      }
    }
    return !calls;
  }
}
