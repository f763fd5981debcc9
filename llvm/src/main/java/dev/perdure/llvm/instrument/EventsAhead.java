package dev.perdure.llvm.instrument;

import dev.perdure.flow.call.KnownFunctions;
import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.ir.AtomicOrder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which loads and acquisitions of a function need no time of their own, because on every way from
 * them the thread soon comes to an event that has one: a release, a flush, a fence, a
 * read-modify-write, or another access of the same object. "Soon" is without a call and without
 * going round a loop.
 */
final class EventsAhead {
  private static final Set<String> FLUSHES_AND_FENCES =
      Set.of(
          "llvm.x86.clwb",
          "llvm.x86.clflushopt",
          "llvm.x86.sse2.clflush",
          "llvm.x86.sse.sfence",
          "llvm.x86.sse2.mfence");

  private final PmTests tests;
  private final PointerOrigin origin;
  private final Set<Instruction> followed = new HashSet<>();

  EventsAhead(BlockGraph graph, PmTests tests, PointerOrigin origin) {
    this.tests = tests;
    this.origin = origin;
    SureEvents[] atEntry = new SureEvents[graph.blocks().size()];
    int[] order = graph.edges().reversePostorder();
    for (int i = order.length - 1; i >= 0; i--) {
      SureEvents behind = behind(graph.edges().successors(order[i]), atEntry);
      atEntry[order[i]] = before(graph.blocks().get(order[i]), behind);
    }
  }

  /** Whether a load or a call that acquires needs no time of its own. */
  boolean isFollowed(Instruction instruction) {
    return followed.contains(instruction);
  }

  /** What lies ahead at the end of a block; a successor that is not known yet closes a loop. */
  private static SureEvents behind(int[] successors, SureEvents[] atEntry) {
    SureEvents ahead = successors.length == 0 ? SureEvents.NONE : SureEvents.ANY;
    for (int successor : successors) {
      ahead = atEntry[successor] == null ? SureEvents.NONE : ahead.and(atEntry[successor]);
      if (ahead == SureEvents.NONE) {
        break;
      }
    }
    return ahead;
  }

  private SureEvents before(List<Instruction> instructions, SureEvents behind) {
    SureEvents ahead = behind;
    for (int i = instructions.size() - 1; i >= 0; i--) {
      Instruction instruction = instructions.get(i);
      ahead =
          switch (instruction.opcode()) {
            case LOAD -> beforeLoad(instruction, ahead);
            case STORE -> beforeAccess(instruction, ahead);
            case READ_MODIFY_WRITE, COMPARE_EXCHANGE -> SureEvents.ANY;
            case CALL, INVOKE, CALL_BRANCH -> beforeCall(instruction.asCall(), ahead);
            default -> ahead;
          };
    }
    return ahead;
  }

  private SureEvents beforeLoad(Instruction load, SureEvents ahead) {
    if (load.order() != AtomicOrder.NOT_ATOMIC || load.isVolatile() || !isPm(load)) {
      return ahead;
    }
    if (ahead.contains(tests.object(load.address()))) {
      followed.add(load);
      return ahead;
    }
    return beforeAccess(load, ahead);
  }

  private SureEvents beforeAccess(Instruction access, SureEvents ahead) {
    return isPm(access) ? ahead.with(tests.object(access.address())) : ahead;
  }

  private boolean isPm(Instruction access) {
    Value address = access.address();
    return address.type().isOrdinaryPointer() && origin.mayBePm(address);
  }

  private SureEvents beforeCall(Call call, SureEvents ahead) {
    if (call.isInlineAssembly()) {
      return beforeAssembly(call, ahead);
    }
    Optional<String> name = call.calledFunction().map(Function::name);
    if (name.isEmpty()) {
      return SureEvents.NONE;
    }
    if (KnownFunctions.releasesAtOnce(name.get()) || FLUSHES_AND_FENCES.contains(name.get())) {
      return SureEvents.ANY;
    }
    if (KnownFunctions.acquiresLock(name.get()) && ahead.any()) {
      followed.add(call);
    }
    return call.calledFunction().get().isIntrinsic() && !name.get().startsWith("llvm.mem")
        ? ahead
        : SureEvents.NONE;
  }

  private static SureEvents beforeAssembly(Call call, SureEvents ahead) {
    AssemblyEffects assembly =
        AssemblyEffects.of(call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly());
    if (assembly.jumps()) {
      return SureEvents.NONE;
    }
    boolean event =
        assembly.effects().stream()
            .anyMatch(
                e ->
                    e instanceof Effect.Flush
                        || e instanceof Effect.StoreFence
                        || e instanceof Effect.FullFence
                        || e instanceof Effect.LockedRmw);
    // A statement that is not understood may be a system call, which can take any time.
    return event ? SureEvents.ANY : call.assemblyText().isBlank() ? ahead : SureEvents.NONE;
  }
}
