package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import dev.perdure.robust.pm.PmPointers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/** Collects the steps of one block while its instructions are read. */
final class StepSink {
  private final ProgramBuilder program;
  private final Values values;
  private final PmPointers pm;
  private final Addresses addresses;
  private final Set<Integer> mentioned = new HashSet<>();
  private List<Step> steps = new ArrayList<>();
  private Instruction current;
  private Instruction anchor;
  private boolean relaxed;

  StepSink(ProgramBuilder program, Values values, PmPointers pm, Addresses addresses) {
    this.program = program;
    this.values = values;
    this.pm = pm;
    this.addresses = addresses;
  }

  /** Starts a new block. */
  void begin() {
    steps = new ArrayList<>();
  }

  List<Step> steps() {
    return steps;
  }

  /**
   * The instruction that the next steps stand for.
   *
   * @param before where something can be put before it
   */
  void at(Instruction instruction, Instruction before, boolean inRelaxedBlock) {
    current = instruction;
    anchor = before;
    relaxed = inRelaxedBlock;
  }

  boolean mayBePm(Value pointer) {
    return pointer.type().isPointer()
        ? pm.mayBePm(pointer) || pm.mayBePm(addresses.reference(pointer))
        : pm.mayBePm(pointer);
  }

  /** The reference that a value holds, if it may lead to persistent memory. */
  int reference(Value value) {
    if (value.type().isInteger()) {
      return PointersAsIntegers.pointer(value).map(this::reference).orElse(Values.NONE);
    }
    return value.type().isPointer() && mayBePm(value)
        ? mention(values.number(addresses.reference(value)))
        : Values.NONE;
  }

  Addresses addresses() {
    return addresses;
  }

  void write(Place place, int stored, Step.Manner manner) {
    mention(place);
    add(id -> new Step.Write(id, place, stored, manner, relaxed));
  }

  void atomicRead(Place place) {
    mention(place);
    add(id -> new Step.AtomicRead(id, place, relaxed));
  }

  void flush(Place place, boolean ordered) {
    mention(place);
    add(id -> new Step.Flush(id, place, ordered));
  }

  void fence() {
    add(Step.Fence::new);
  }

  void dispose() {
    add(Step.Disposal::new);
  }

  void release(String what, boolean fences) {
    add(id -> new Step.Release(id, what, fences));
  }

  /** An exception leaves the function, or may do so: whoever catches it finds everything clean. */
  void unwind() {
    add(Step.Unwinding::new);
  }

  /** Something is loaded from there. */
  void fetch(Value address) {
    if (address.type().isPointer() && addresses.mayBeNew(addresses.reference(address))) {
      int reference = reference(address);
      if (reference != Values.NONE) {
        add(id -> new Step.Fetch(id, reference));
      }
    }
  }

  void publish(Value value) {
    int reference = reference(value);
    if (reference != Values.NONE) {
      add(id -> new Step.Publication(id, reference));
    }
  }

  void allocate(Value object) {
    int reference = mention(values.number(object));
    add(id -> new Step.Allocation(id, reference));
  }

  void copy(Value target, List<Integer> sources) {
    int number = mention(values.number(target));
    add(id -> new Step.Copy(id, number, sources));
  }

  void call(int routine, List<Location> arguments, int result, int landing) {
    arguments.forEach(this::mention);
    if (result != Values.NONE) {
      mention(result);
    }
    add(id -> new Step.Call(id, routine, arguments, result, landing));
  }

  /** The current instruction returns. */
  void exit(int returned) {
    steps.add(exitBefore(current.block(), returned, isMain(current)));
  }

  /** The current instruction ends the process or the thread. */
  void end() {
    add(id -> new Step.Exit(id, Values.NONE, true));
  }

  private static boolean isMain(Instruction instruction) {
    return instruction.owner().name().equals("main");
  }

  void returnTo(Location returned) {
    add(id -> new Step.Return(id, returned));
  }

  Step.Exit exitBefore(Block block, int returned, boolean last) {
    return new Step.Exit(program.exit(block.terminator()), returned, last);
  }

  Step.Definition definition(Instruction instruction) {
    return new Step.Definition(program.step(instruction, instruction), values.number(instruction));
  }

  boolean belongs(Step step, Instruction instruction) {
    return program.origins().get(step.id()).instruction().equals(instruction);
  }

  /** Whether some location has the value in it. */
  boolean isMentioned(int value) {
    return mentioned.contains(value);
  }

  private void add(IntFunction<Step> step) {
    steps.add(step.apply(program.step(current, anchor)));
  }

  private void mention(Place place) {
    mention(place.location());
    if (!place.extent().isConstant()) {
      mentioned.add(place.extent().variable());
    }
  }

  private void mention(Location location) {
    mentioned.add(location.base());
    location.terms().forEach(term -> mentioned.add(term.value()));
  }

  private int mention(int value) {
    mentioned.add(value);
    return value;
  }
}
