package dev.perdure.llvm.region;

import dev.perdure.llvm.instrument.PointerOrigin;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.region.AccessKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The accesses of an instruction that may touch persistent memory. */
final class PmAccesses {
  private final PointerOrigin origin = new PointerOrigin();

  List<PmAccess> of(Instruction instruction) {
    List<PmAccess> accesses = new ArrayList<>();
    switch (instruction.opcode()) {
      case LOAD -> add(accesses, AccessKind.LOAD, instruction, instruction.address());
      case STORE -> add(accesses, AccessKind.STORE, instruction, instruction.address());
      case READ_MODIFY_WRITE, COMPARE_EXCHANGE -> {
        add(accesses, AccessKind.LOAD, instruction, instruction.address());
        add(accesses, AccessKind.STORE, instruction, instruction.address());
      }
      case CALL -> addCopies(accesses, instruction.asCall());
      default -> {}
    }
    return accesses;
  }

  private void addCopies(List<PmAccess> accesses, Call call) {
    Optional<Function> callee = call.calledFunction().filter(Function::isIntrinsic);
    String name = callee.map(Value::name).orElse("");
    if (name.startsWith("llvm.memcpy.") || name.startsWith("llvm.memmove.")) {
      add(accesses, AccessKind.LOAD, call, call.argument(1), call.argument(2));
      add(accesses, AccessKind.STORE, call, call.argument(0), call.argument(2));
    } else if (name.startsWith("llvm.memset.")) {
      add(accesses, AccessKind.STORE, call, call.argument(0), call.argument(2));
    }
  }

  private void add(
      List<PmAccess> accesses, AccessKind kind, Instruction instruction, Value... extent) {
    if (extent[0].type().isOrdinaryPointer() && origin.mayBePm(extent[0])) {
      accesses.add(new PmAccess(kind, instruction, List.of(extent)));
    }
  }
}
