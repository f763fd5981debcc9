package dev.perdure.robust.repair;

import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.model.config.FlushFunctions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Takes a program's own flushes and store fences out. Full fences stay, since they also order
 * loads; so do library functions that store and persist in one. What kept the compiler from moving
 * accesses over it leaves a barrier for the compiler in its place, so that a program that waits for
 * an ordinary variable goes on reading it.
 */
public final class Stripping {
  private static final Set<String> LIBRARY =
      Set.of(
          ("llvm.x86.clwb llvm.x86.clflushopt llvm.x86.sse2.clflush llvm.x86.sse.sfence "
                  + "pmem_persist pmem_flush pmem_drain pmem_deep_persist pmem_deep_flush "
                  + "pmem_deep_drain pmem_msync pmemobj_persist pmemobj_flush pmemobj_drain")
              .split(" "));

  private final Set<String> functions = new HashSet<>(LIBRARY);

  public Stripping(FlushFunctions configured) {
    configured.flush().forEach(f -> functions.add(f.function()));
    configured.persist().forEach(f -> functions.add(f.function()));
    functions.addAll(configured.fence());
  }

  /** Returns how many calls and assembly statements were taken out. */
  public int strip(BitcodeModule module) {
    int count = 0;
    try (Builder builder = module.builder()) {
      for (Function function : module.functions()) {
        for (Block block : function.blocks()) {
          for (Instruction instruction : block.instructions()) {
            boolean unused = !instruction.users().iterator().hasNext();
            if (instruction.opcode() == Opcode.CALL
                && unused
                && isPersistence(instruction.asCall())) {
              takeOut(instruction.asCall(), builder);
              count++;
            }
          }
        }
      }
    }
    return count;
  }

  private static void takeOut(Call call, Builder builder) {
    boolean barrier =
        !call.isInlineAssembly() || call.clobbersMemory() || !call.hasAssemblyOperands();
    if (barrier) {
      builder.before(call).compilerBarrier();
    }
    call.erase();
  }

  private boolean isPersistence(Call call) {
    if (call.isInlineAssembly()) {
      AssemblyEffects effects =
          AssemblyEffects.of(
              call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly());
      return !effects.effects().isEmpty()
          && effects.effects().stream()
              .allMatch(e -> e instanceof Effect.Flush || e instanceof Effect.StoreFence);
    }
    Optional<Function> callee = call.calledFunction();
    return callee.isPresent() && functions.contains(callee.get().name());
  }
}
