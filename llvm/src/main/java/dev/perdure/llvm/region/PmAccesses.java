package dev.perdure.llvm.region;

import dev.perdure.llvm.instrument.PointerOrigin;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.region.AccessKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The accesses of an instruction that may touch persistent memory. */
final class PmAccesses {
  private final BitcodeModule module;
  private final PointerOrigin origin;

  PmAccesses(BitcodeModule module, PointerOrigin origin) {
    this.module = module;
    this.origin = origin;
  }

  List<PmAccess> of(Instruction instruction) {
    List<PmAccess> accesses = new ArrayList<>();
    switch (instruction.opcode()) {
      case LOAD -> add(accesses, AccessKind.LOAD, instruction, instruction.type());
      case STORE -> add(accesses, AccessKind.STORE, instruction, instruction.stored().type());
      case READ_MODIFY_WRITE, COMPARE_EXCHANGE -> {
        add(accesses, AccessKind.LOAD, instruction, instruction.operand(1).type());
        add(accesses, AccessKind.STORE, instruction, instruction.operand(1).type());
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
      addRange(accesses, AccessKind.LOAD, call, call.argument(1));
      addRange(accesses, AccessKind.STORE, call, call.argument(0));
    } else if (name.startsWith("llvm.memset.")) {
      addRange(accesses, AccessKind.STORE, call, call.argument(0));
    }
  }

  private void addRange(List<PmAccess> accesses, AccessKind kind, Call call, Value address) {
    if (mayBePm(address)) {
      List<Value> extent = List.of(address, call.argument(2));
      accesses.add(new PmAccess(kind, call, extent, OptionalLong.empty()));
    }
  }

  private void add(
      List<PmAccess> accesses, AccessKind kind, Instruction instruction, Type accessed) {
    Value address = instruction.address();
    if (mayBePm(address)) {
      OptionalLong size = OptionalLong.of(module.storeSize(accessed));
      accesses.add(new PmAccess(kind, instruction, List.of(address), size));
    }
  }

  private boolean mayBePm(Value address) {
    return address.type().isOrdinaryPointer() && origin.mayBePm(address);
  }
}
