package dev.perdure.llvm.instrument;

import dev.perdure.llvm.assembly.Address;
import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.ir.AtomicOrder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which stores and flushes of a function may have the time of the thread's last event, because on
 * every way to them there was one just before: a fence, or a store or flush of the same object, and
 * since then no call, no read of what other threads may write, and no round of a loop without such
 * an event. Not a store that overwrites one since the last event with a time of its own: what was
 * overwritten would never have been there for others to read.
 */
final class EventsBehind {
  /** More stores at a time are not kept: functions can be very long. */
  private static final int MOST_RECENT = 32;

  private final PmTests tests;
  private final PointerOrigin origin;
  private final Set<Instruction> preceded = new HashSet<>();

  /** Stores since an event that has a time of its own for certain, on any way. */
  private final Set<Instruction> recent = new HashSet<>();

  private final List<Set<Instruction>> recentAtEnd = new ArrayList<>();

  EventsBehind(BlockGraph graph, PmTests tests, PointerOrigin origin) {
    this.tests = tests;
    this.origin = origin;
    SureEvents[] atEnd = new SureEvents[graph.blocks().size()];
    Arrays.fill(atEnd, SureEvents.NONE);
    graph.blocks().forEach(b -> recentAtEnd.add(Set.of()));
    // What the blocks of a loop have by themselves in the first round holds at its back edge in the
    // second.
    walk(graph, atEnd);
    preceded.clear();
    walk(graph, atEnd);
  }

  private void walk(BlockGraph graph, SureEvents[] atEnd) {
    for (int block : graph.edges().reversePostorder()) {
      SureEvents behind = atStart(graph.edges().predecessors(block), atEnd, block == 0);
      recent.clear();
      for (int p : graph.edges().predecessors(block)) {
        recent.addAll(recentAtEnd.get(p));
      }
      for (Instruction instruction : graph.blocks().get(block)) {
        // In another round of a loop, an address that is computed there is another one.
        recent.removeIf(s -> depends(s.address(), instruction));
        behind = after(instruction, behind);
        if (behind.any() || behind.objects().isEmpty()) {
          recent.clear();
        }
      }
      atEnd[block] = behind;
      recentAtEnd.set(block, Set.copyOf(recent));
    }
  }

  private boolean depends(Value address, Instruction instruction) {
    return address.equals(instruction) || tests.object(address).equals(instruction);
  }

  private static SureEvents atStart(int[] predecessors, SureEvents[] atEnd, boolean isEntry) {
    if (isEntry || predecessors.length == 0) {
      return SureEvents.NONE;
    }
    return Arrays.stream(predecessors)
        .mapToObj(p -> atEnd[p])
        .reduce(SureEvents::and)
        .orElseThrow();
  }

  /** Whether a plain store may have the time of the last event. */
  boolean isPreceded(Instruction store) {
    return preceded.contains(store);
  }

  /** The hook of a call that flushes. */
  String flushHook(Call call) {
    return preceded.contains(call) ? "flush_preceded" : "flush";
  }

  private SureEvents after(Instruction instruction, SureEvents behind) {
    return switch (instruction.opcode()) {
      case LOAD -> origin.isThreadLocal(instruction.address()) ? behind : SureEvents.NONE;
      case STORE -> afterStore(instruction, behind);
      case READ_MODIFY_WRITE, COMPARE_EXCHANGE -> SureEvents.NONE;
      case CALL, INVOKE, CALL_BRANCH -> afterCall(instruction.asCall(), behind);
      default -> behind;
    };
  }

  private SureEvents afterStore(Instruction store, SureEvents behind) {
    Value address = store.address();
    if (!address.type().isOrdinaryPointer() || !origin.mayBePm(address)) {
      return behind;
    }
    Value object = tests.object(address);
    boolean plain = store.order() == AtomicOrder.NOT_ATOMIC && !store.isVolatile();
    if (plain
        && behind.contains(object)
        && recent.stream().noneMatch(s -> tests.isSamePlace(s.address(), address))) {
      preceded.add(store);
    } else {
      preceded.remove(store);
      recent.removeIf(s -> tests.object(s.address()).equals(object));
    }
    if (recent.size() < MOST_RECENT) {
      recent.add(store);
    }
    return behind.with(object);
  }

  private SureEvents afterCall(Call call, SureEvents behind) {
    if (call.isInlineAssembly()) {
      return afterAssembly(call, behind);
    }
    Optional<Function> callee = call.calledFunction().filter(Function::isIntrinsic);
    if (callee.isEmpty()) {
      return SureEvents.NONE;
    }
    return switch (callee.get().name()) {
      case "llvm.x86.clwb", "llvm.x86.clflushopt" ->
          afterFlush(call, call.argument(0), false, behind);
      case "llvm.x86.sse2.clflush" -> afterFlush(call, call.argument(0), true, behind);
      case "llvm.x86.sse.sfence", "llvm.x86.sse2.mfence" -> SureEvents.ANY;
      default -> touchesNoMemory(callee.get().name()) ? behind : SureEvents.NONE;
    };
  }

  private static boolean touchesNoMemory(String intrinsic) {
    return Stream.of("llvm.mem", "llvm.masked.", "llvm.x86.").noneMatch(intrinsic::startsWith);
  }

  private SureEvents afterAssembly(Call call, SureEvents behind) {
    AssemblyEffects assembly =
        AssemblyEffects.of(call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly());
    List<Effect> effects = assembly.effects();
    if (effects.size() != 1 || assembly.jumps()) {
      return effects.isEmpty() && call.assemblyText().isBlank() ? behind : SureEvents.NONE;
    }
    if (effects.get(0) instanceof Effect.Flush flush) {
      boolean persists = flush.kind() == Effect.FlushKind.CLFLUSH;
      return flushed(call, flush.address())
          .map(address -> afterFlush(call, address, persists, behind))
          .orElse(SureEvents.NONE);
    }
    return effects.get(0) instanceof Effect.StoreFence ? SureEvents.ANY : SureEvents.NONE;
  }

  private static Optional<Value> flushed(Call call, Address address) {
    if (address instanceof Address.MemoryOperand operand) {
      return Optional.of(call.argument(operand.argument()));
    }
    return address instanceof Address.Computed computed && computed.scale() == 0
        ? Optional.of(call.argument(computed.base()))
        : Optional.empty();
  }

  /** A flush that persists by itself ends windows, and must not seem earlier than it is. */
  private SureEvents afterFlush(Call flush, Value address, boolean persists, SureEvents behind) {
    Value object = flushedObject(address, new HashSet<>()).orElse(address);
    if (!persists && behind.contains(object)) {
      preceded.add(flush);
    }
    return behind.with(object);
  }

  /**
   * The object whose lines a flush goes through: its address is rounded to a line and counted up
   * from there, perhaps in a loop. Empty for a value that was looked at before.
   */
  private Optional<Value> flushedObject(Value address, Set<Value> seen) {
    if (!seen.add(address)) {
      return Optional.empty();
    }
    Value object = tests.object(address);
    if (!object.equals(address)) {
      return flushedObject(object, seen);
    }
    Optional<Instruction> definition = address.instruction();
    return switch (definition.map(Instruction::opcode).orElse(Opcode.OTHER)) {
      case INTEGER_TO_POINTER, POINTER_TO_INTEGER ->
          flushedObject(definition.get().operand(0), seen);
      case ARITHMETIC ->
          staysNear(definition.get())
              ? flushedObject(definition.get().operand(0), seen)
              : Optional.of(address);
      case PHI -> commonObject(definition.get(), seen);
      default -> Optional.of(address);
    };
  }

  private static boolean staysNear(Instruction arithmetic) {
    return (arithmetic.isAddition() || arithmetic.isBitwiseAnd())
        && arithmetic.operand(1).constantInteger().isPresent();
  }

  private Optional<Value> commonObject(Instruction phi, Set<Value> seen) {
    Set<Value> objects = new HashSet<>();
    for (int i = 0; i < phi.incomingCount(); i++) {
      flushedObject(phi.incoming(i), seen).ifPresent(objects::add);
    }
    return Optional.of(objects.size() == 1 ? objects.iterator().next() : phi);
  }
}
