package dev.perdure.robust.repair;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;

/**
 * Assembly that names no operands may read and write any memory: so GCC documents it, and programs
 * wait for ordinary variables in loops over {@code asm("nop")} or {@code asm("pause")}. Clang's
 * code generator moves the load out of such a loop, which then never ends; a barrier for the
 * compiler keeps it there.
 */
public final class AssemblyBarriers {
  private AssemblyBarriers() {}

  public static void add(BitcodeModule module) {
    try (Builder builder = module.builder()) {
      for (Function function : module.functions()) {
        function.blocks().stream()
            .flatMap(block -> block.instructions().stream())
            .filter(instruction -> instruction.opcode() == Opcode.CALL)
            .map(Instruction::asCall)
            .filter(AssemblyBarriers::isBare)
            .forEach(call -> builder.before(call).compilerBarrier());
      }
    }
  }

  private static boolean isBare(Call call) {
    return call.isInlineAssembly() && !call.hasAssemblyOperands() && !call.clobbersMemory();
  }
}
