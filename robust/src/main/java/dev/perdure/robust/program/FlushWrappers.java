package dev.perdure.robust.program;

import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Small functions of a program that do nothing but flush and fence. They are put in the place of
 * their calls before the analysis, so that what they flush is seen with the arguments of each call.
 */
public final class FlushWrappers {
  private static final int MOST_INSTRUCTIONS = 80;

  private final Set<Function> wrappers = new HashSet<>();
  private final Predicate<String> named;

  /**
   * @param named whether the configuration says what a function does
   */
  public FlushWrappers(Predicate<String> named) {
    this.named = named;
  }

  /** Marks the wrappers of a module; the inliner does the rest. */
  public void mark(BitcodeModule module) {
    List<Function> candidates = module.functions().stream().filter(this::isCandidate).toList();
    boolean grew = true;
    while (grew) {
      grew = false;
      for (Function function : candidates) {
        grew |= !wrappers.contains(function) && isWrapper(function) && wrappers.add(function);
      }
    }
    for (Function wrapper : wrappers) {
      wrapper.remove(Attribute.NOINLINE);
      wrapper.remove(Attribute.OPTNONE);
      wrapper.add(Attribute.ALWAYSINLINE);
    }
  }

  private boolean isCandidate(Function function) {
    return function.hasBody() && !function.name().equals("main") && !named.test(function.name());
  }

  private boolean isWrapper(Function function) {
    int size = 0;
    boolean persists = false;
    for (Block block : function.blocks()) {
      List<Instruction> instructions = block.instructions();
      size += instructions.size();
      if (size > MOST_INSTRUCTIONS) {
        return false;
      }
      for (Instruction instruction : instructions) {
        switch (instruction.opcode()) {
          case CALL -> {
            if (isPersistence(instruction.asCall())) {
              persists = true;
            } else if (!isSilent(instruction.asCall())) {
              return false;
            }
          }
          case STORE -> {
            if (!isLocal(instruction)) {
              return false;
            }
          }
          case INVOKE, CALL_BRANCH, READ_MODIFY_WRITE, COMPARE_EXCHANGE -> {
            return false;
          }
          default -> {}
        }
      }
    }
    return persists;
  }

  private boolean isPersistence(Call call) {
    if (call.isInlineAssembly()) {
      List<Effect> effects =
          AssemblyEffects.of(
                  call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly())
              .effects();
      return !effects.isEmpty()
          && effects.stream()
              .allMatch(
                  e ->
                      e instanceof Effect.Flush
                          || e instanceof Effect.StoreFence
                          || e instanceof Effect.FullFence);
    }
    Optional<Function> callee = call.calledFunction();
    return callee.isPresent()
        && (wrappers.contains(callee.get()) || LibraryKnowledge.persistsOnly(callee.get().name()));
  }

  private static boolean isSilent(Call call) {
    return call.calledFunction()
        .map(Function::name)
        .filter(n -> n.startsWith("llvm.lifetime.") || n.startsWith("llvm.dbg."))
        .isPresent();
  }

  private static boolean isLocal(Instruction store) {
    return store.address().instruction().filter(i -> i.opcode() == Opcode.ALLOCA).isPresent();
  }
}
