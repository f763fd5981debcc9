package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import java.util.Optional;

/** Goes through one function, instruction by instruction. */
final class FunctionInstrumentation {
  private final Function function;
  private final CallSites callSites;
  private final NamedCalls namedCalls;
  private final PmTests tests;
  private final EventsAhead ahead;
  private final MemoryAccesses memory;
  private final AtomicAccesses atomics;
  private final IntrinsicCalls intrinsics;
  private final AssemblyCalls assembly;
  private final SmallComparisons comparisons;
  private final PointerOrigin origin;

  FunctionInstrumentation(
      Function function, Hooks hooks, CallSites callSites, NamedCalls namedCalls) {
    this.function = function;
    this.callSites = callSites;
    this.namedCalls = namedCalls;
    this.tests = new PmTests(hooks);
    this.origin = new PointerOrigin(hooks.declared());
    BlockGraph graph = BlockGraph.of(function);
    this.ahead = new EventsAhead(graph, tests, origin);
    EventsBehind behind = new EventsBehind(graph, tests, origin);
    this.memory = new MemoryAccesses(hooks, tests, origin, ahead, behind);
    this.atomics = new AtomicAccesses(hooks, origin);
    this.intrinsics = new IntrinsicCalls(hooks, tests, origin, behind);
    this.assembly = new AssemblyCalls(hooks, origin, behind);
    this.comparisons = new SmallComparisons(hooks, tests, origin);
  }

  void run() {
    boolean events = false;
    for (Block block : function.blocks()) {
      tests.forget();
      for (Instruction instruction : block.instructions()) {
        events |= instrument(instruction);
      }
    }
    if (events) {
      callSites.addEvent(function);
    }
  }

  private boolean instrument(Instruction instruction) {
    return switch (instruction.opcode()) {
      case LOAD -> memory.load(instruction);
      case STORE -> memory.store(instruction);
      case FENCE -> atomics.fence(instruction);
      case READ_MODIFY_WRITE -> atomics.readModifyWrite(instruction);
      case COMPARE_EXCHANGE -> atomics.compareExchange(instruction);
      case CALL, INVOKE, CALL_BRANCH -> call(instruction.asCall());
      default -> false;
    };
  }

  private boolean call(Call call) {
    if (call.isInlineAssembly()) {
      tests.forget();
      return assembly.instrument(call);
    }
    Optional<Function> callee = call.calledFunction();
    if (callee.isPresent() && callee.get().isIntrinsic()) {
      return intrinsics.instrument(call, callee.get().name());
    }
    if (callee.isPresent() && Prelude.isOurs(callee.get().name())) {
      return false;
    }
    if (callee.isPresent() && SmallComparisons.matches(call, callee.get(), function)) {
      return comparisons.instrument(call);
    }
    boolean copies = memory.copies(call);
    tests.forget();
    callSites.add(function, call);
    if (ahead.isFollowed(call)) {
      callSites.addFollowed(call);
    }
    if (callee.isPresent() && LibraryFunctions.touchesMemory(callee.get().name())) {
      call.add(Attribute.NOBUILTIN);
    }
    return callee.isPresent() && namedCalls.instrument(call, callee.get().name(), function)
        || copies;
  }
}
