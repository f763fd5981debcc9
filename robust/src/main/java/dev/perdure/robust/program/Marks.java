package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.Optional;

/** The marks of perdure.h as they stand in a module. */
public final class Marks {
  /** The function that every mark calls. */
  public static final String FUNCTION = "__perdure_mark";

  private Marks() {}

  /** What a mark says, as far as it matters here. */
  public enum Kind {
    PM(46),
    ALLOC(48),
    RELEASE(17),
    RELAXED_BEGIN(66),
    RELAXED_END(67),
    OTHER(0);

    private final long number;

    Kind(long number) {
      this.number = number;
    }
  }

  /** The kind of a call of the mark function; empty for other calls. */
  public static Optional<Kind> of(Call call) {
    boolean mark =
        call.calledFunction().filter(f -> f.name().equals(FUNCTION)).isPresent()
            && call.argumentCount() >= 2;
    if (!mark) {
      return Optional.empty();
    }
    long number = call.argument(0).constantInteger().orElse(0);
    for (Kind kind : Kind.values()) {
      if (kind.number == number) {
        return Optional.of(kind);
      }
    }
    return Optional.of(Kind.OTHER);
  }

  /** The address that a mark speaks of. */
  public static Value address(Call mark) {
    return mark.argument(1);
  }

  /**
   * Which way a branch goes that asks whether the marks' function is there: 0 or 1, the index of
   * the successor; -1 for other branches.
   */
  static int takenBranch(Instruction terminator) {
    if (terminator.opcode() != Opcode.BRANCH || terminator.operandCount() != 3) {
      return -1;
    }
    Optional<Instruction> condition = terminator.operand(0).instruction();
    if (condition.isEmpty() || condition.get().opcode() != Opcode.COMPARE) {
      return -1;
    }
    Instruction compare = condition.get();
    boolean asks =
        compare.operand(0).function().filter(f -> f.name().equals(FUNCTION)).isPresent()
            && compare.operand(1).isNullOrUndefined();
    if (!asks) {
      return -1;
    }
    return compare.isEquality() ? 1 : 0;
  }
}
