package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import java.util.Arrays;

/**
 * Which general registers (bits 0 to 15) and flags ({@link #FLAGS}) may still be read when an
 * instruction is reached.
 *
 * <p>Compilers may know what a callee leaves alone, so calls and returns kill no register and
 * returns read all of them; flags do not live across either. A call that may throw may continue
 * where exceptions are caught, with whatever registers that needs.
 */
public final class Liveness {
  public static final int FLAGS = 1 << 16;
  private static final int REGISTERS = 0xffff;

  /** rax, rcx, rdx, rsi, rdi, r8, r9, r10 and the stack pointer. */
  private static final int ARGUMENTS = 0x07d7;

  private final int[] before;

  private Liveness(int[] before) {
    this.before = before;
  }

  public static Liveness of(Function function) {
    int n = function.code().size();
    int[] before = new int[n];
    int[] target = new int[n];
    Arrays.fill(target, -1);
    for (int i = 0; i < n; i++) {
      Instruction x = function.code().get(i);
      if (x.operation().relative()) {
        target[i] = Math.max(-1, function.indexOf(x.target()));
      }
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = n - 1; i >= 0; i--) {
        int live = transfer(function.code().get(i), after(function, i, before, target));
        changed |= live != before[i];
        before[i] = live;
      }
    }
    return new Liveness(before);
  }

  private static int after(Function function, int i, int[] before, int[] target) {
    Instruction x = function.code().get(i);
    int next = i + 1 < before.length ? before[i + 1] : REGISTERS | FLAGS;
    int there = target[i] < 0 ? REGISTERS | FLAGS : before[target[i]];
    return switch (x.operation()) {
      case BRANCH, LOOP -> next | there;
      case JUMP -> there;
      case CALL, INDIRECT_CALL -> function.catches() ? REGISTERS : next & ~FLAGS | ARGUMENTS;
      case RETURN, INDIRECT_JUMP -> REGISTERS;
      case STOP -> 0;
      default -> next;
    };
  }

  private static int transfer(Instruction x, int after) {
    int killed = x.writes() | (x.flagsKilled() ? FLAGS : 0);
    return after & ~killed | x.reads() | (x.flagsRead() ? FLAGS : 0);
  }

  /** What is live just before the instruction with that index. */
  public int before(int index) {
    return before[index];
  }
}
