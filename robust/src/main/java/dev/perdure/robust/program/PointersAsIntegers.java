package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Pointers that are handled as integers: compilers do so for atomic accesses, programs for tagged
 * pointers and for the arithmetic of flushes. An integer that is stored is followed back to its
 * pointer; one that goes where it cannot be followed counts as known to everybody.
 */
final class PointersAsIntegers {
  private PointersAsIntegers() {}

  /** The pointer that an integer was computed from, without any choice on the way. */
  static Optional<Value> pointer(Value integer) {
    return pointer(integer, new HashSet<>());
  }

  private static Optional<Value> pointer(Value integer, Set<Value> seen) {
    Optional<Instruction> definition = integer.instruction();
    if (definition.isEmpty() || !seen.add(integer)) {
      return Optional.empty();
    }
    Instruction instruction = definition.get();
    return switch (instruction.opcode()) {
      case POINTER_TO_INTEGER -> Optional.of(instruction.operand(0));
      case ARITHMETIC ->
          pointer(instruction.operand(0), seen)
              .or(() -> pointer(instruction.operand(instruction.operandCount() - 1), seen));
      default -> Optional.empty();
    };
  }

  /** Whether the address may get out of sight once it is an integer. */
  static boolean leaks(Instruction pointerToInteger) {
    return leaks(pointerToInteger, false, new HashSet<>());
  }

  private static boolean leaks(Instruction value, boolean chosen, Set<Value> seen) {
    if (!seen.add(value)) {
      return false;
    }
    for (Instruction user : value.users()) {
      boolean leak =
          switch (user.opcode()) {
            case COMPARE, LOAD -> false;
            case ARITHMETIC, GET_ELEMENT_POINTER -> leaks(user, chosen, seen);
            case INTEGER_TO_POINTER, PHI, SELECT -> leaks(user, true, seen);
            case STORE -> user.stored().equals(value) && chosen;
            case READ_MODIFY_WRITE, COMPARE_EXCHANGE -> chosen && !user.operand(0).equals(value);
            case CALL -> !isFlush(user.asCall());
            default -> true;
          };
      if (leak) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFlush(Call call) {
    return call.isInlineAssembly()
        || call.calledFunction().filter(Function::isIntrinsic).isPresent();
  }
}
