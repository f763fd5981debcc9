package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The tests of "is this PM?" in one basic block. Accesses of one object share a test as long as no
 * call comes between, which might map PM there. An object is PM as a whole or not at all: offsets
 * that stay inside the object, or are less than a page, are left out of the test. (Sharing tests
 * between blocks as well was measured: it costs more registers than it saves tests.)
 */
final class PmTests {
  private static final long PAGE = 4096;

  private final Hooks hooks;
  private final Map<Value, Value> known = new HashMap<>();

  PmTests(Hooks hooks) {
    this.hooks = hooks;
  }

  /** A condition that holds where the pointer may be PM, valid where the builder stands. */
  Value of(Value pointer) {
    return known.computeIfAbsent(object(pointer), object -> hooks.call("is_pm", object));
  }

  /** Forgets all tests: a new block, or a call. */
  void forget() {
    known.clear();
  }

  /** What the pointer points into: PM as a whole or not at all. */
  Value object(Value pointer) {
    Value object = pointer;
    while (true) {
      Optional<Instruction> step =
          object
              .instruction()
              .filter(i -> i.opcode() == Opcode.GET_ELEMENT_POINTER && staysInObject(i));
      if (step.isEmpty()) {
        return object;
      }
      object = step.get().operand(0);
    }
  }

  /** Whether two pointers are known to be the same, by the constant distances from an object. */
  boolean isSamePlace(Value a, Value b) {
    if (a.equals(b)) {
      return true;
    }
    OptionalLong distance = distance(a);
    return distance.isPresent() && object(a).equals(object(b)) && distance.equals(distance(b));
  }

  private OptionalLong distance(Value pointer) {
    long sum = 0;
    Value object = object(pointer);
    for (Value at = pointer; !at.equals(object); at = at.instruction().orElseThrow().operand(0)) {
      OptionalLong step = hooks.module().constantOffset(at.instruction().orElseThrow());
      if (step.isEmpty()) {
        return step;
      }
      sum += step.getAsLong();
    }
    return OptionalLong.of(sum);
  }

  private boolean staysInObject(Instruction getElementPointer) {
    if (!getElementPointer.type().isPointer()) {
      return false;
    }
    if (getElementPointer.isInBounds()) {
      return true;
    }
    OptionalLong offset = hooks.module().constantOffset(getElementPointer);
    return offset.isPresent() && Math.abs(offset.getAsLong()) < PAGE;
  }
}
