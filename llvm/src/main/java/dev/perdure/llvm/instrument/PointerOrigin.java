package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the pointers of one function come from. Stack objects, global variables and arguments
 * passed as stack copies are never persistent memory, unless they are declared to be; a stack
 * object whose address stays in the function is also never shared with another thread.
 */
public final class PointerOrigin {
  private final Map<Value, Boolean> captured = new HashMap<>();
  private final Set<Value> declared;

  public PointerOrigin() {
    this(Set.of());
  }

  /**
   * @param declared variables that the program declares to be persistent memory
   */
  public PointerOrigin(Set<Value> declared) {
    this.declared = declared;
  }

  /** Whether the pointer may point into persistent memory. */
  public boolean mayBePm(Value pointer) {
    return !all(pointer, false, new HashSet<>());
  }

  /** Whether only this thread can have the address. */
  public boolean isThreadLocal(Value pointer) {
    return all(pointer, true, new HashSet<>());
  }

  private boolean all(Value pointer, boolean threadLocal, Set<Value> seen) {
    if (!seen.add(pointer)) {
      return true;
    }
    if (declared.contains(pointer)) {
      return false;
    }
    if (pointer.isGlobal()) {
      return !threadLocal;
    }
    if (pointer.isNullOrUndefined()) {
      return true;
    }
    if (pointer.isConstantExpression()) {
      return switch (pointer.constantOpcode()) {
        case GET_ELEMENT_POINTER, BIT_CAST -> all(pointer.operand(0), threadLocal, seen);
        default -> false;
      };
    }
    Optional<Instruction> definition = pointer.instruction();
    if (definition.isEmpty()) {
      return !threadLocal && pointer.isByValueArgument();
    }
    Instruction instruction = definition.get();
    return switch (instruction.opcode()) {
      case ALLOCA -> !threadLocal || !isCaptured(instruction);
      case GET_ELEMENT_POINTER, BIT_CAST, FREEZE -> all(instruction.operand(0), threadLocal, seen);
      case SELECT ->
          all(instruction.operand(1), threadLocal, seen)
              && all(instruction.operand(2), threadLocal, seen);
      case PHI -> allIncoming(instruction, threadLocal, seen);
      case CALL -> !threadLocal && isThreadVariable(instruction.asCall());
      default -> false;
    };
  }

  private boolean allIncoming(Instruction phi, boolean threadLocal, Set<Value> seen) {
    for (int i = 0; i < phi.incomingCount(); i++) {
      if (!all(phi.incoming(i), threadLocal, seen)) {
        return false;
      }
    }
    return true;
  }

  private boolean isCaptured(Instruction alloca) {
    Boolean known = captured.get(alloca);
    if (known == null) {
      known = escapes(alloca, new HashSet<>());
      captured.put(alloca, known);
    }
    return known;
  }

  private static boolean escapes(Instruction pointer, Set<Value> seen) {
    if (!seen.add(pointer)) {
      return false;
    }
    for (Instruction user : pointer.users()) {
      boolean harmless =
          switch (user.opcode()) {
            case LOAD, COMPARE -> true;
            case READ_MODIFY_WRITE -> !user.operand(1).equals(pointer);
            case STORE -> !user.stored().equals(pointer);
            case COMPARE_EXCHANGE -> user.operand(0).equals(pointer);
            case GET_ELEMENT_POINTER, BIT_CAST, FREEZE, SELECT, PHI -> !escapes(user, seen);
            case CALL -> keepsAddress(user.asCall());
            default -> false;
          };
      if (!harmless) {
        return true;
      }
    }
    return false;
  }

  private static boolean isThreadVariable(Call call) {
    return call.calledFunction()
        .filter(f -> f.isIntrinsic() && f.name().startsWith("llvm.threadlocal.address"))
        .isPresent();
  }

  private static boolean keepsAddress(Call call) {
    return call.isInlineAssembly()
        || call.calledFunction().filter(Function::isIntrinsic).isPresent();
  }
}
