package dev.perdure.robust.pm;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import dev.perdure.robust.program.LibraryKnowledge;
import dev.perdure.robust.program.Marks;
import dev.perdure.robust.program.Values;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads a module's pointer graph and finds the pointers to persistent memory. */
public final class PointerGraphReader {
  /** Below it systems map nothing. */
  private static final int LOWEST_ADDRESS = 1 << 16;

  private final PmSources sources;
  private final Values values;
  private final PointerGraph graph = new PointerGraph();
  private final Set<Integer> seeds = new HashSet<>();
  private final Set<Integer> constants = new HashSet<>();
  private final Map<Instruction.Field, Integer> fields = new HashMap<>();
  private final Map<Type, List<Function>> callableThroughPointers = new HashMap<>();
  private final Map<Type, List<Integer>> passedThroughPointers = new HashMap<>();
  private final Map<Function, List<Integer>> returned = new HashMap<>();
  private final Map<Function, Integer> unnamed = new HashMap<>();
  private final BitSet intoPointers = new BitSet();
  private int outside = Values.NONE;

  public PointerGraphReader(PmSources sources, Values values) {
    this.sources = sources;
    this.values = values;
  }

  public PmPointers read(BitcodeModule module) {
    List<Function> bodies = module.functions().stream().filter(Function::hasBody).toList();
    for (Function function : bodies) {
      if (function.isAddressTaken()) {
        callableThroughPointers
            .computeIfAbsent(function.functionType(), t -> new ArrayList<>())
            .add(function);
      }
      returned.put(function, returnedValues(function));
    }
    for (Function function : bodies) {
      for (Block block : function.blocks()) {
        block.instructions().forEach(this::read);
      }
    }
    spreadBack();
    return new PmPointers(values, graph, seeds, intoPointers);
  }

  private List<Integer> returnedValues(Function function) {
    List<Integer> results = new ArrayList<>();
    for (Block block : function.blocks()) {
      Instruction last = block.terminator();
      if (last.opcode() == Opcode.RETURN && last.operandCount() == 1) {
        results.add(operand(last.operand(0)));
      }
    }
    return results;
  }

  private void read(Instruction instruction) {
    int result = values.number(instruction);
    switch (instruction.opcode()) {
      case GET_ELEMENT_POINTER, BIT_CAST, FREEZE, POINTER_TO_INTEGER, EXTRACT_VALUE ->
          graph.assign(operand(instruction.operand(0)), result);
      case INTEGER_TO_POINTER -> {
        int integer = operand(instruction.operand(0));
        if (integer != Values.NONE) {
          intoPointers.set(integer);
          graph.assign(integer, result);
        }
      }
      case ARITHMETIC -> arithmetic(instruction, result);
      case INSERT_VALUE, VECTOR -> {
        if (isWide(instruction.type())) {
          for (int i = 0; i < Math.min(2, instruction.operandCount()); i++) {
            graph.assign(operand(instruction.operand(i)), result);
          }
        }
      }
      case SELECT -> {
        graph.assign(operand(instruction.operand(1)), result);
        graph.assign(operand(instruction.operand(2)), result);
      }
      case PHI -> {
        for (int i = 0; i < instruction.incomingCount(); i++) {
          graph.assign(operand(instruction.incoming(i)), result);
        }
      }
      case LOAD -> {
        if (isWide(instruction.type())) {
          graph.load(access(instruction, result));
        }
      }
      case STORE -> {
        if (isWide(instruction.stored().type())) {
          graph.store(access(instruction, operand(instruction.stored())));
        }
      }
      case READ_MODIFY_WRITE -> exchange(instruction, instruction.operand(1), result);
      case COMPARE_EXCHANGE -> exchange(instruction, instruction.operand(2), result);
      case CALL, INVOKE, CALL_BRANCH -> call(instruction.asCall(), result);
      default -> {}
    }
  }

  /**
   * An address with something else is an address in the same object, as it is in pointer
   * arithmetic. Where the other is the distance to persistent memory, that is where it leads.
   */
  private void arithmetic(Instruction instruction, int result) {
    if (!isWide(instruction.type())) {
      return;
    }
    int operands = Math.min(2, instruction.operandCount());
    boolean distances =
        operands == 2 && isPointer(instruction.operand(0)) != isPointer(instruction.operand(1));
    for (int i = 0; i < operands; i++) {
      int operand = operand(instruction.operand(i));
      if (distances && !isPointer(instruction.operand(i))) {
        graph.shift(operand, result);
      } else {
        graph.assign(operand, result);
      }
    }
  }

  private static boolean isPointer(Value integer) {
    return integer.instruction().filter(i -> i.opcode() == Opcode.POINTER_TO_INTEGER).isPresent();
  }

  private void exchange(Instruction instruction, Value stored, int result) {
    if (isWide(stored.type())) {
      graph.store(access(instruction, operand(stored)));
      graph.load(access(instruction, result));
    }
  }

  private PointerGraph.Access access(Instruction instruction, int value) {
    int field =
        instruction
            .field()
            .map(f -> fields.computeIfAbsent(f, g -> fields.size() + 1))
            .orElse(PointerGraph.ANY_FIELD);
    return new PointerGraph.Access(operand(instruction.address()), value, field);
  }

  private void call(Call call, int result) {
    if (call.isInlineAssembly()) {
      for (int i = 0; i < call.argumentCount(); i++) {
        graph.assign(operand(call.argument(i)), result);
      }
      return;
    }
    Optional<Function> callee = call.calledFunction();
    if (callee.isEmpty()) {
      bindThroughPointer(call, result);
    } else if (callee.get().hasBody()) {
      bind(call, callee.get(), result);
    } else {
      external(call, callee.get().name(), result);
    }
    callee
        .flatMap(f -> sources.allocator(f.name()))
        .ifPresent(a -> allocated(call, a.out(), result));
  }

  /** All calls through pointers to functions of one type share what they pass and what they get. */
  private void bindThroughPointer(Call call, int result) {
    List<Function> targets = callableThroughPointers.getOrDefault(call.calledType(), List.of());
    if (targets.isEmpty()) {
      return;
    }
    List<Integer> passed = passedThroughPointers.get(call.calledType());
    if (passed == null) {
      passed = share(targets);
      passedThroughPointers.put(call.calledType(), passed);
    }
    int last = passed.size() - 1;
    for (int i = 0; i < Math.min(call.argumentCount(), last); i++) {
      graph.assign(operand(call.argument(i)), passed.get(i));
    }
    targets.forEach(target -> bindUnnamed(call, target));
    graph.assign(passed.get(last), result);
  }

  /** A number for each parameter of the functions, and one for their results. */
  private List<Integer> share(List<Function> targets) {
    List<Integer> shared = new ArrayList<>();
    for (int i = 0; i < targets.get(0).parameterCount(); i++) {
      int passed = values.auxiliary();
      shared.add(passed);
      for (Function target : targets) {
        graph.assign(passed, values.number(target.parameter(i)));
      }
    }
    int result = values.auxiliary();
    shared.add(result);
    for (Function target : targets) {
      returned.get(target).forEach(value -> graph.assign(value, result));
    }
    return shared;
  }

  private void bind(Call call, Function target, int result) {
    int shared = Math.min(call.argumentCount(), target.parameterCount());
    for (int i = 0; i < shared; i++) {
      graph.assign(operand(call.argument(i)), values.number(target.parameter(i)));
    }
    bindUnnamed(call, target);
    returned.getOrDefault(target, List.of()).forEach(value -> graph.assign(value, result));
  }

  /** Arguments that the function has no parameters for. */
  private void bindUnnamed(Call call, Function target) {
    for (int i = target.parameterCount(); i < call.argumentCount(); i++) {
      graph.assign(operand(call.argument(i)), unnamed(target));
    }
  }

  /** What is passed to a function without a name. */
  private int unnamed(Function function) {
    return unnamed.computeIfAbsent(function, f -> values.auxiliary());
  }

  /** The list leads to an area in which the unnamed arguments are. */
  private void startList(Call call) {
    int area = values.auxiliary();
    graph.store(new PointerGraph.Access(operand(call.argument(0)), area, PointerGraph.ANY_FIELD));
    graph.store(new PointerGraph.Access(area, unnamed(call.owner()), PointerGraph.ANY_FIELD));
  }

  private void allocated(Call call, OptionalInt out, int result) {
    if (out.isEmpty()) {
      seeds.add(result);
    } else if (out.getAsInt() < call.argumentCount()) {
      // The address is stored where the argument points to: a store of a value that is PM.
      seeds.add(result);
      graph.store(
          new PointerGraph.Access(
              operand(call.argument(out.getAsInt())), result, PointerGraph.ANY_FIELD));
    }
  }

  /** A number that is made a pointer is the same place wherever it is written. */
  private void seed(Value place) {
    seeds.add(operand(place));
    if (place.isConstantExpression()) {
      seeds.add(operand(place.operand(0)));
    }
  }

  private void external(Call call, String name, int result) {
    Optional<Marks.Kind> mark = Marks.of(call);
    if (mark.isPresent()) {
      if (mark.get() == Marks.Kind.PM || mark.get() == Marks.Kind.ALLOC) {
        seeds.add(operand(Marks.address(call)));
      }
      return;
    }
    if (sources.maps(call, name)) {
      seeds.add(result);
      sources.place(call, name).ifPresent(this::seed);
      return;
    }
    if (name.startsWith("llvm.va_start")) {
      startList(call);
      return;
    }
    if (isCopy(name)) {
      int copied = values.number(call);
      graph.load(
          new PointerGraph.Access(operand(call.argument(1)), copied, PointerGraph.ANY_FIELD));
      graph.store(
          new PointerGraph.Access(operand(call.argument(0)), copied, PointerGraph.ANY_FIELD));
    }
    if (call.type().isPointer() && call.argumentCount() > 0 && returnsFirst(name)) {
      graph.assign(operand(call.argument(0)), result);
    }
    callbacks(call, name);
  }

  /**
   * Code that is not known may call any function whose address is taken, with whatever it is given.
   * Of a function that is named in the call it is known that it is that one.
   */
  private void callbacks(Call call, String name) {
    if (LibraryKnowledge.callsNothingBack(name)
        || LibraryKnowledge.isWithoutConstructor(call, name)) {
      return;
    }
    List<Function> named = new ArrayList<>();
    for (int i = 0; i < call.argumentCount(); i++) {
      call.argument(i).function().filter(Function::hasBody).ifPresent(named::add);
    }
    if (named.isEmpty()) {
      for (int i = 0; i < call.argumentCount(); i++) {
        graph.assign(operand(call.argument(i)), outside());
      }
    }
    for (Function callback : named) {
      for (int i = 0; i < call.argumentCount(); i++) {
        for (int k = 0; k < callback.parameterCount(); k++) {
          graph.assign(operand(call.argument(i)), values.number(callback.parameter(k)));
        }
      }
    }
  }

  /** What code that is not known has been given: it may call any function with it. */
  private int outside() {
    if (outside == Values.NONE) {
      outside = values.auxiliary();
      for (List<Function> functions : callableThroughPointers.values()) {
        for (Function function : functions) {
          for (int i = 0; i < function.parameterCount(); i++) {
            graph.assign(outside, values.number(function.parameter(i)));
          }
        }
      }
    }
    return outside;
  }

  private static boolean isCopy(String name) {
    return name.startsWith("llvm.memcpy.")
        || name.startsWith("llvm.memmove.")
        || name.startsWith("llvm.va_copy")
        || name.equals("memcpy")
        || name.equals("memmove")
        || name.equals("__memcpy_chk")
        || name.equals("__memmove_chk")
        || name.equals("mempcpy");
  }

  private static boolean returnsFirst(String name) {
    return name.startsWith("mem")
        || name.startsWith("str")
        || name.startsWith("stp")
        || name.startsWith("pmem_mem")
        || name.startsWith("llvm.launder")
        || name.startsWith("llvm.ptrmask")
        || name.startsWith("llvm.threadlocal");
  }

  /**
   * The number of an operand; a constant expression is assigned its own operand. What is no address
   * has none: as a value of its own, a null would make aliases of all pointers that may be null.
   */
  private int operand(Value value) {
    if (value.isNullOrUndefined() || isSmall(value.constantInteger())) {
      return Values.NONE;
    }
    int number = values.number(value);
    if (value.isConstantExpression() && constants.add(number)) {
      for (int i = 0; i < Math.min(2, value.operandCount()); i++) {
        graph.assign(operand(value.operand(i)), number);
      }
    }
    return number;
  }

  private static boolean isSmall(OptionalLong integer) {
    return integer.isPresent() && Math.abs(integer.getAsLong()) < LOWEST_ADDRESS;
  }

  /** Whether a value of the type has room for an address. */
  private static boolean isWide(Type type) {
    return !type.isInteger() || type.numberBits() >= Long.SIZE;
  }

  /** Integers that become pointers later: what is loaded into them counts as an address. */
  private void spreadBack() {
    Deque<Integer> open = new ArrayDeque<>();
    intoPointers.stream().forEach(open::push);
    while (!open.isEmpty()) {
      for (int source : graph.predecessors(open.pop())) {
        if (!intoPointers.get(source) && values.isInteger(source)) {
          intoPointers.set(source);
          open.push(source);
        }
      }
    }
  }
}
