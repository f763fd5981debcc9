package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Variables that a program declares to be persistent memory (PERDURE_PM): those that the macro
 * itself names. All others are ordinary memory.
 */
final class DeclaredMemory {
  /** The number that PERDURE_PM passes. */
  private static final long MARK_PM = 46;

  private DeclaredMemory() {}

  static Set<Value> of(BitcodeModule module) {
    Set<Value> declared = new HashSet<>();
    module
        .function(Prelude.MARK)
        .ifPresent(
            mark -> {
              for (Instruction user : mark.users()) {
                if (user.opcode() == Opcode.CALL && marksPm(user.asCall())) {
                  declared.add(base(user.asCall().argument(1)));
                }
              }
            });
    return declared;
  }

  private static boolean marksPm(Call call) {
    return call.argument(0).constantInteger().orElse(0) == MARK_PM;
  }

  private static Value base(Value pointer) {
    if (pointer.isConstantExpression()) {
      return switch (pointer.constantOpcode()) {
        case GET_ELEMENT_POINTER, BIT_CAST -> base(pointer.operand(0));
        default -> pointer;
      };
    }
    Optional<Instruction> definition = pointer.instruction();
    if (definition.isEmpty()) {
      return pointer;
    }
    return switch (definition.get().opcode()) {
      case GET_ELEMENT_POINTER, BIT_CAST, FREEZE -> base(definition.get().operand(0));
      default -> pointer;
    };
  }
}
