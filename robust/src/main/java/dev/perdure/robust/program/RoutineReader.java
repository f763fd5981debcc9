package dev.perdure.robust.program;

import dev.perdure.llvm.ir.AtomicOrder;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the body of one function. */
final class RoutineReader {
  private final BitcodeModule module;
  private final Values values;
  private final ExternalCalls externals;
  private final AssemblySteps assembly;
  private final Map<Function, Integer> routines;
  private final Function function;
  private final StepSink sink;
  private final RelaxedBlocks relaxed;
  private final List<Block> blocks;
  private final boolean returnsTwice;
  private final Map<Block, Integer> indices = new HashMap<>();
  private final Map<Block, Instruction> markBranches = new HashMap<>();

  RoutineReader(
      BitcodeModule module,
      Values values,
      ExternalCalls externals,
      Map<Function, Integer> routines,
      Function function,
      StepSink sink) {
    this.module = module;
    this.values = values;
    this.externals = externals;
    this.assembly = new AssemblySteps(module, values);
    this.routines = routines;
    this.function = function;
    this.sink = sink;
    this.blocks = function.blocks();
    this.relaxed = new RelaxedBlocks(function);
    this.returnsTwice = blocks.stream().anyMatch(RoutineReader::mayReturnTwice);
    for (Block block : blocks) {
      indices.put(block, indices.size());
      int taken = Marks.takenBranch(block.terminator());
      if (taken >= 0) {
        markBranches.put(block.successors().get(taken), block.terminator());
      }
    }
  }

  Routine read(int index, boolean root) {
    List<List<Step>> steps = new ArrayList<>();
    for (Block block : blocks) {
      sink.begin();
      if (steps.isEmpty() && returnsTwice) {
        publishParameters(block.instructions().get(0));
      }
      for (Instruction instruction : block.instructions()) {
        Instruction before = markBranches.getOrDefault(block, instruction);
        sink.at(instruction, before, relaxed.contain(instruction));
        read(instruction);
      }
      steps.add(sink.steps());
    }
    flushRanges(steps);
    moveExitsToReturns(steps);
    List<CodeBlock> code = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      code.add(new CodeBlock(phis(blocks.get(i)), withDefinitions(i, steps.get(i)), successors(i)));
    }
    List<Integer> parameters = new ArrayList<>();
    for (int i = 0; i < function.parameterCount(); i++) {
      parameters.add(values.number(function.parameter(i)));
    }
    boolean main = function.name().equals("main");
    boolean callable = !main && (function.isAddressTaken() || root && function.isVisibleOutside());
    return new Routine(index, function.name(), parameters, code, callable, root || callable);
  }

  /**
   * Where a call comes back a second time, things have happened that no way through the function
   * shows: nothing in it counts as captured.
   */
  private static boolean mayReturnTwice(Block block) {
    return block.instructions().stream()
        .filter(i -> i.opcode() == Opcode.CALL || i.opcode() == Opcode.INVOKE)
        .map(Instruction::asCall)
        .filter(call -> !call.isInlineAssembly())
        .flatMap(call -> call.calledFunction().stream())
        .anyMatch(callee -> LibraryKnowledge.RETURN_TWICE.contains(callee.name()));
  }

  private void publishParameters(Instruction first) {
    sink.at(first, first, false);
    for (int i = 0; i < function.parameterCount(); i++) {
      sink.publish(function.parameter(i));
    }
  }

  /** Adds the flushes of the program's own loops over ranges. */
  private void flushRanges(List<List<Step>> steps) {
    FlushLoops loops = new FlushLoops(module, sink.addresses(), blocks);
    for (int i = 0; i < blocks.size(); i++) {
      if (steps.get(i).size() == 1 && steps.get(i).get(0) instanceof Step.Flush flush) {
        Value flushed = values.value(flush.place().location().base());
        loops
            .around(flushed, blocks.get(i), flush.ordered())
            .filter(loop -> loop.others().stream().allMatch(b -> isQuiet(steps, b)))
            .ifPresent(loop -> flushRange(loop, steps));
      }
    }
  }

  private boolean isQuiet(List<List<Step>> steps, Block block) {
    return steps.get(indices.get(block)).isEmpty();
  }

  private void flushRange(FlushLoops.FlushLoop loop, List<List<Step>> steps) {
    Instruction last = loop.entry().terminator();
    sink.begin();
    sink.at(last, last, false);
    sink.flush(loop.range(), loop.ordered());
    steps.get(indices.get(loop.entry())).addAll(sink.steps());
  }

  private List<Integer> successors(int index) {
    List<Block> next = blocks.get(index).successors();
    int taken = Marks.takenBranch(blocks.get(index).terminator());
    if (taken >= 0) {
      return List.of(indices.get(next.get(taken)));
    }
    Optional<Block> vain = landingInVain(blocks.get(index).terminator());
    return next.stream()
        .filter(b -> !vain.equals(Optional.of(b)))
        .map(indices::get)
        .distinct()
        .toList();
  }

  /** Where an exception would go that a call of a library function cannot throw. */
  private Optional<Block> landingInVain(Instruction terminator) {
    if (terminator.opcode() != Opcode.INVOKE) {
      return Optional.empty();
    }
    Call invoke = terminator.asCall();
    return invoke
        .calledFunction()
        .filter(callee -> !routines.containsKey(callee))
        .filter(callee -> externals.throwsNothing(callee.name()))
        .map(callee -> invoke.unwindDestination());
  }

  private void read(Instruction instruction) {
    switch (instruction.opcode()) {
      case STORE -> store(instruction);
      case LOAD -> load(instruction);
      case READ_MODIFY_WRITE -> exchange(instruction, instruction.operand(1));
      case COMPARE_EXCHANGE -> exchange(instruction, instruction.operand(2));
      case FENCE -> fence(instruction);
      case SELECT -> select(instruction);
      case POINTER_TO_INTEGER -> {
        if (PointersAsIntegers.leaks(instruction)) {
          sink.publish(instruction.operand(0));
        }
      }
      case CALL, INVOKE, CALL_BRANCH -> call(instruction.asCall());
      case RETURN -> returned(instruction);
      case BRANCH, UNREACHABLE -> {}
      default -> {
        boolean leaves = instruction.next().isEmpty() && instruction.block().successors().isEmpty();
        if (leaves) {
          sink.release("exception that goes on to the caller", false);
          sink.unwind();
        }
      }
    }
  }

  private void store(Instruction store) {
    Value address = store.address();
    Value stored = store.stored();
    AtomicOrder order = store.order();
    if (sink.mayBePm(address)) {
      Extent extent = Extent.of(module.storeSize(stored.type()), store.alignment());
      sink.write(
          sink.addresses().place(address, extent),
          sink.reference(stored),
          manner(store, order, extent));
      return;
    }
    sink.publish(stored);
    boolean publishes =
        order == AtomicOrder.RELEASE || order == AtomicOrder.SEQUENTIALLY_CONSISTENT;
    if ((publishes || store.isVolatile()) && !isLocal(address)) {
      sink.release("release store", order == AtomicOrder.SEQUENTIALLY_CONSISTENT);
    }
  }

  private static Step.Manner manner(Instruction store, AtomicOrder order, Extent extent) {
    if (store.isNonTemporal()) {
      return Step.Manner.NON_TEMPORAL;
    }
    // x86 has no other sequentially consistent store of a word than an exchange.
    if (order == AtomicOrder.SEQUENTIALLY_CONSISTENT && extent.bytes() <= Long.BYTES) {
      return Step.Manner.EXCHANGE;
    }
    return order != AtomicOrder.NOT_ATOMIC || store.isVolatile()
        ? Step.Manner.ATOMIC
        : Step.Manner.PLAIN;
  }

  private void load(Instruction load) {
    sink.fetch(load.address());
    boolean shared = load.order() != AtomicOrder.NOT_ATOMIC || load.isVolatile();
    if (shared && sink.mayBePm(load.address())) {
      Extent extent = Extent.of(module.storeSize(load.type()), load.alignment());
      sink.atomicRead(sink.addresses().place(load.address(), extent));
    }
  }

  private void exchange(Instruction instruction, Value stored) {
    sink.fetch(instruction.address());
    if (sink.mayBePm(instruction.address())) {
      long size = module.storeSize(stored.type());
      Place place = sink.addresses().place(instruction.address(), Extent.of(size, (int) size));
      sink.write(place, sink.reference(stored), Step.Manner.EXCHANGE);
      return;
    }
    sink.publish(stored);
    AtomicOrder order = instruction.order();
    if (order == AtomicOrder.RELAXED || order == AtomicOrder.ACQUIRE) {
      sink.fence();
    } else {
      sink.release("atomic read-modify-write", true);
    }
  }

  private void fence(Instruction fence) {
    if (fence.isSingleThread()) {
      return;
    }
    switch (fence.order()) {
      case SEQUENTIALLY_CONSISTENT -> sink.release("fence", true);
      case RELEASE, ACQUIRE_RELEASE -> sink.release("release fence", false);
      default -> {}
    }
  }

  private void select(Instruction select) {
    if (select.type().isPointer() && sink.mayBePm(select)) {
      List<Integer> sources = new ArrayList<>();
      for (int i = 1; i <= 2; i++) {
        if (!select.operand(i).isNullOrUndefined()) {
          sources.add(sink.reference(select.operand(i)));
        }
      }
      sink.copy(select, sources);
    }
  }

  private void call(Call call) {
    if (call.isInlineAssembly()) {
      assembly.read(call, sink);
      return;
    }
    callOf(call);
    if (returnsTwice) {
      sink.publish(call);
    }
  }

  private void callOf(Call call) {
    Optional<Function> callee = call.calledFunction();
    if (callee.isPresent() && externals.isNamed(callee.get().name())) {
      externals.read(call, callee.get().name(), sink);
    } else if (callee.isPresent() && routines.containsKey(callee.get())) {
      List<Location> arguments = new ArrayList<>();
      for (int i = 0; i < Math.min(call.argumentCount(), callee.get().parameterCount()); i++) {
        boolean pointer = sink.reference(call.argument(i)) != Values.NONE;
        arguments.add(pointer ? sink.addresses().location(call.argument(i)) : Location.ELSEWHERE);
      }
      for (int i = arguments.size(); i < call.argumentCount(); i++) {
        sink.publish(call.argument(i));
      }
      boolean reference = call.type().isPointer() && sink.mayBePm(call);
      int landing =
          call.opcode() == Opcode.INVOKE ? indices.get(call.unwindDestination()) : Values.NONE;
      sink.call(
          routines.get(callee.get()),
          arguments,
          reference ? values.number(call) : Values.NONE,
          landing);
    } else if (callee.isPresent()) {
      externals.read(call, callee.get().name(), sink);
    } else {
      externals.unknown(call, "call through a pointer", sink);
    }
  }

  private void returned(Instruction instruction) {
    int value =
        instruction.operandCount() == 1 ? sink.reference(instruction.operand(0)) : Values.NONE;
    sink.exit(value);
    sink.returnTo(
        value == Values.NONE
            ? Location.ELSEWHERE
            : sink.addresses().location(instruction.operand(0)));
  }

  /**
   * Where several return statements share one block that does nothing else, each of them is an end
   * of its own: what one of them needs is not done on the way to the others.
   */
  private void moveExitsToReturns(List<List<Step>> steps) {
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (steps.get(i).size() == 2 && steps.get(i).get(0) instanceof Step.Exit) {
        open.add(i);
      }
    }
    while (!open.isEmpty()) {
      int index = open.poll();
      Step.Exit exit = (Step.Exit) steps.get(index).get(0);
      for (int p = 0; p < blocks.size(); p++) {
        List<Block> next = blocks.get(p).successors();
        if (p != index && next.size() == 1 && next.get(0).equals(blocks.get(index))) {
          int returned = incoming(blocks.get(index), blocks.get(p), exit.returned());
          boolean empty = steps.get(p).isEmpty();
          steps.get(p).add(sink.exitBefore(blocks.get(p), returned, exit.last()));
          if (empty) {
            open.add(p);
          }
        }
      }
    }
  }

  private int incoming(Block block, Block predecessor, int value) {
    for (Instruction phi : block.instructions()) {
      if (phi.opcode() == Opcode.PHI && values.number(phi) == value) {
        for (int i = 0; i < phi.incomingCount(); i++) {
          if (phi.incomingBlock(i).equals(predecessor)) {
            return sink.reference(phi.incoming(i));
          }
        }
      }
    }
    return value;
  }

  private List<Phi> phis(Block block) {
    List<Phi> phis = new ArrayList<>();
    for (Instruction instruction : block.instructions()) {
      if (instruction.opcode() != Opcode.PHI) {
        break;
      }
      if (!sink.isMentioned(values.number(instruction))) {
        continue;
      }
      Map<Integer, Integer> sources = new HashMap<>();
      for (int i = 0; i < instruction.incomingCount(); i++) {
        Value source = instruction.incoming(i);
        int reference = source.isNullOrUndefined() ? Values.NONE : sink.reference(source);
        sources.put(indices.get(instruction.incomingBlock(i)), reference);
      }
      phis.add(new Phi(values.number(instruction), sources));
    }
    return phis;
  }

  /** Adds the definitions of values that locations are made of, before what they are used for. */
  private List<Step> withDefinitions(int index, List<Step> steps) {
    List<Step> result = new ArrayList<>();
    int next = 0;
    for (Instruction instruction : blocks.get(index).instructions()) {
      boolean defines =
          instruction.opcode() != Opcode.PHI && sink.isMentioned(values.number(instruction));
      if (defines) {
        result.add(sink.definition(instruction));
      }
      while (next < steps.size() && sink.belongs(steps.get(next), instruction)) {
        result.add(steps.get(next++));
      }
    }
    result.addAll(steps.subList(next, steps.size()));
    return result;
  }

  private boolean isLocal(Value address) {
    Value reference = sink.addresses().reference(address);
    return reference.instruction().filter(i -> i.opcode() == Opcode.ALLOCA).isPresent();
  }
}
