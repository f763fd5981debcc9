package dev.perdure.llvm.region;

import dev.perdure.flow.call.KnownFunctions;
import dev.perdure.flow.call.SyncNames;
import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.model.config.Configuration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which instructions of a module acquire, or may lead to an acquire. */
final class Acquires {
  /** What the macros of perdure.h call, and the number that PERDURE_ACQUIRE passes. */
  private static final String MARK = "__perdure_mark";

  private static final long MARK_ACQUIRE = 16;

  private final SyncNames names;
  private final Set<Function> acquiring = new HashSet<>();

  /** Those of a module whose functions with code are given. */
  static Acquires of(
      BitcodeModule module,
      List<Function> bodies,
      Configuration configuration,
      Demangler demangler) {
    Map<String, String> readable =
        configuration.namesFunctions()
            ? demangler.demangled(module.functions().stream().map(Function::name).toList())
            : Map.of();
    return new Acquires(bodies, new SyncNames(configuration, readable));
  }

  private Acquires(List<Function> bodies, SyncNames names) {
    this.names = names;
    Map<Function, List<Function>> callers = new HashMap<>();
    for (Function function : bodies) {
      for (Block block : function.blocks()) {
        for (Instruction instruction : block.instructions()) {
          calledBody(instruction)
              .ifPresent(c -> callers.computeIfAbsent(c, x -> new ArrayList<>()).add(function));
          if (at(instruction)) {
            acquiring.add(function);
          }
        }
      }
    }
    Deque<Function> work = new ArrayDeque<>(acquiring);
    while (!work.isEmpty()) {
      for (Function caller : callers.getOrDefault(work.pop(), List.of())) {
        if (acquiring.add(caller)) {
          work.push(caller);
        }
      }
    }
  }

  /** Whether the instruction acquires or may lead to an acquire. */
  boolean at(Instruction instruction) {
    return switch (instruction.opcode()) {
      case LOAD, FENCE, READ_MODIFY_WRITE, COMPARE_EXCHANGE ->
          instruction.acquires() && !instruction.isSingleThread();
      case CALL, INVOKE, CALL_BRANCH -> at(instruction.asCall());
      default -> false;
    };
  }

  private boolean at(Call call) {
    if (call.isInlineAssembly()) {
      return AssemblyEffects.of(
              call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly())
          .effects()
          .stream()
          .anyMatch(e -> e instanceof Effect.LockedRmw || e instanceof Effect.FullFence);
    }
    Optional<Function> callee = call.calledFunction();
    if (callee.isEmpty()) {
      return true;
    }
    String name = callee.get().name();
    if (names.isKnown(name)) {
      return names.acquires(name);
    }
    if (name.equals(MARK)) {
      return call.argument(0).constantInteger().orElse(MARK_ACQUIRE) == MARK_ACQUIRE;
    }
    if (callee.get().isIntrinsic()) {
      return name.equals("llvm.x86.sse2.mfence") || name.equals("llvm.x86.xbegin");
    }
    return callee.get().hasBody()
        ? acquiring.contains(callee.get())
        : KnownFunctions.mayAcquire(name);
  }

  private Optional<Function> calledBody(Instruction instruction) {
    return switch (instruction.opcode()) {
      case CALL, INVOKE, CALL_BRANCH ->
          instruction
              .asCall()
              .calledFunction()
              .filter(f -> f.hasBody() && !names.isKnown(f.name()));
      default -> Optional.empty();
    };
  }
}
