package dev.perdure.llvm.region;

import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The address and length of an access, as the values that they are computed from.
 *
 * @param made the instructions whose results cannot be computed anew at another place
 */
record Extent(List<Value> values, Set<Value> made) {

  static Extent of(List<Value> values) {
    Set<Value> made = new HashSet<>();
    Set<Value> seen = new HashSet<>();
    Deque<Value> work = new ArrayDeque<>(values);
    while (!work.isEmpty()) {
      Value value = work.pop();
      Optional<Instruction> instruction = value.instruction();
      if (!seen.add(value) || instruction.isEmpty()) {
        continue;
      }
      if (!isComputed(instruction.get())) {
        made.add(value);
        continue;
      }
      for (int i = 0; i < value.operandCount(); i++) {
        work.push(value.operand(i));
      }
    }
    return new Extent(List.copyOf(values), Set.copyOf(made));
  }

  /** Whether the result can be computed anew wherever the operands are known. */
  static boolean isComputed(Instruction instruction) {
    return switch (instruction.opcode()) {
      case GET_ELEMENT_POINTER,
          BIT_CAST,
          SELECT,
          COMPARE,
          ARITHMETIC,
          POINTER_TO_INTEGER,
          INTEGER_TO_POINTER ->
          true;
      default -> false;
    };
  }
}
