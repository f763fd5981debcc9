package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import java.util.Arrays;

/**
 * Which general registers (bits 0 to 15) and flags ({@link #FLAGS}) may still be read when an
 * instruction is reached.
 *
 * <p>Calls and returns read every register: a call that may throw may continue where exceptions are
 * caught, compilers may know what a callee leaves alone, and subroutines in assembly get their
 * arguments in any register (those for P-256 in OpenSSL in rbx). Flags do not live across either,
 * but across jumps by a table: gcc tests once before a switch what all of its cases ask.
 */
public final class Liveness {
  public static final int FLAGS = 1 << 16;
  private static final int REGISTERS = 0xffff;

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
      case BRANCH, LOOP, TRANSACTION -> next | there;
      case JUMP -> there;
      case CALL, INDIRECT_CALL, RETURN -> REGISTERS;
      case INDIRECT_JUMP -> REGISTERS | FLAGS;
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
