package dev.perdure.llvm.instrument;

import dev.perdure.flow.call.KnownFunctions;
import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.ir.AtomicOrder;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  /** What every way from a place leads to: any event, or one of an access to some object. */
  private record Ahead(boolean any, Set<Value> objects) {
    static final Ahead NOTHING = new Ahead(false, Set.of());
    static final Ahead EVENT = new Ahead(true, Set.of());

    Ahead and(Ahead other) {
      if (any || other.any) {
        return any ? other : this;
      }
      Set<Value> both = new HashSet<>(objects);
      both.retainAll(other.objects);
      return new Ahead(false, both);
    }

    Ahead with(Value object) {
      if (any || objects.contains(object)) {
        return this;
      }
      Set<Value> more = new HashSet<>(objects);
      more.add(object);
      return new Ahead(false, more);
    }
  }

  EventsAhead(Function function, PmTests tests, PointerOrigin origin) {
    this.tests = tests;
    this.origin = origin;
    List<Block> blocks = function.blocks();
    Map<Block, Integer> numbers = new HashMap<>();
    blocks.forEach(block -> numbers.put(block, numbers.size()));
    FlowGraph graph =
        FlowGraph.of(
            blocks.stream()
                .map(b -> b.successors().stream().mapToInt(numbers::get).toArray())
                .toArray(int[][]::new));
    Ahead[] atEntry = new Ahead[blocks.size()];
    int[] order = graph.reversePostorder();
    for (int i = order.length - 1; i >= 0; i--) {
      atEntry[order[i]] = before(blocks.get(order[i]), behind(graph.successors(order[i]), atEntry));
    }
  }

  /** Whether a load or a call that acquires needs no time of its own. */
  boolean isFollowed(Instruction instruction) {
    return followed.contains(instruction);
  }

  /** What lies ahead at the end of a block; a successor that is not known yet closes a loop. */
  private static Ahead behind(int[] successors, Ahead[] atEntry) {
    Ahead ahead = successors.length == 0 ? Ahead.NOTHING : Ahead.EVENT;
    for (int successor : successors) {
      ahead = atEntry[successor] == null ? Ahead.NOTHING : ahead.and(atEntry[successor]);
      if (ahead == Ahead.NOTHING) {
        break;
      }
    }
    return ahead;
  }

  private Ahead before(Block block, Ahead behind) {
    Ahead ahead = behind;
    List<Instruction> instructions = block.instructions();
    for (int i = instructions.size() - 1; i >= 0; i--) {
      Instruction instruction = instructions.get(i);
      ahead =
          switch (instruction.opcode()) {
            case LOAD -> beforeLoad(instruction, ahead);
            case STORE -> beforeAccess(instruction, ahead);
            case READ_MODIFY_WRITE, COMPARE_EXCHANGE -> Ahead.EVENT;
            case CALL, INVOKE, CALL_BRANCH -> beforeCall(instruction.asCall(), ahead);
            default -> ahead;
          };
    }
    return ahead;
  }

  private Ahead beforeLoad(Instruction load, Ahead ahead) {
    if (load.order() != AtomicOrder.NOT_ATOMIC || load.isVolatile() || !isPm(load)) {
      return ahead;
    }
    if (ahead.any || ahead.objects.contains(tests.object(load.address()))) {
      followed.add(load);
      return ahead;
    }
    return beforeAccess(load, ahead);
  }

  private Ahead beforeAccess(Instruction access, Ahead ahead) {
    return isPm(access) ? ahead.with(tests.object(access.address())) : ahead;
  }

  private boolean isPm(Instruction access) {
    Value address = access.address();
    return address.type().isOrdinaryPointer() && origin.mayBePm(address);
  }

  private Ahead beforeCall(Call call, Ahead ahead) {
    if (call.isInlineAssembly()) {
      return beforeAssembly(call, ahead);
    }
    Optional<String> name = call.calledFunction().map(Function::name);
    if (name.isEmpty()) {
      return Ahead.NOTHING;
    }
    if (KnownFunctions.releasesAtOnce(name.get()) || FLUSHES_AND_FENCES.contains(name.get())) {
      return Ahead.EVENT;
    }
    if (KnownFunctions.acquiresLock(name.get()) && ahead.any) {
      followed.add(call);
    }
    return call.calledFunction().get().isIntrinsic() && !name.get().startsWith("llvm.mem")
        ? ahead
        : Ahead.NOTHING;
  }

  private static Ahead beforeAssembly(Call call, Ahead ahead) {
    AssemblyEffects assembly =
        AssemblyEffects.of(call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly());
    if (assembly.jumps()) {
      return Ahead.NOTHING;
    }
    boolean event =
        assembly.effects().stream()
            .anyMatch(
                e ->
                    e instanceof Effect.Flush
                        || e instanceof Effect.StoreFence
                        || e instanceof Effect.FullFence
                        || e instanceof Effect.LockedRmw);
    return event ? Ahead.EVENT : ahead;
  }
}
