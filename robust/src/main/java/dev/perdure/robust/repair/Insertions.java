package dev.perdure.robust.repair;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.memory.CacheLine;
import dev.perdure.robust.FlushInstruction;
import dev.perdure.robust.program.Extent;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Term;
import java.io.IOException;

/** Puts flushes, fences and counters into a module. */
final class Insertions implements AutoCloseable {
  private final Program program;
  private final Prelude prelude;
  private final Builder builder;

  Insertions(Program program, BitcodeModule module, FlushInstruction instruction)
      throws IOException {
    this.program = program;
    this.prelude = new Prelude(module, instruction);
    this.builder = module.builder();
  }

  /** A flush of a place right behind the step's instruction. */
  void flushAfter(int step, Place place) {
    placeBehind(program.instruction(step));
    Extent extent = place.extent();
    Value address = address(place);
    if (extent.isString()) {
      builder.call(prelude.function("string"), address);
    } else if (extent.oneLine()) {
      builder.call(prelude.function("line"), address);
    } else if (extent.isConstant() && extent.bytes() <= CacheLine.BYTES) {
      builder.call(prelude.function("few"), address, builder.integer(64, extent.bytes() - 1));
    } else if (extent.isConstant()) {
      builder.call(prelude.function("range"), address, builder.integer(64, extent.bytes()));
    } else {
      Value count = builder.bits64(program.value(extent.variable()));
      Value bytes = builder.multiply(count, builder.integer(64, extent.bytes()));
      builder.call(prelude.function("range"), address, bytes);
    }
  }

  /** A flush behind an atomic load that happens only while a store is under way. */
  void helpAfter(int step, Place place) {
    placeBehind(program.instruction(step));
    builder.call(prelude.function("help"), address(place));
  }

  /** Notes the lines of an atomic load, to be flushed when something depends on it. */
  void noteAfter(int step, Place place) {
    placeBehind(program.instruction(step));
    Value address = address(place);
    builder.call(prelude.function("note"), address);
    if (!place.extent().oneLine()) {
      long last = place.extent().bytes() - 1;
      for (long at = CacheLine.BYTES; at < last; at += CacheLine.BYTES) {
        builder.call(prelude.function("note"), builder.offset(address, builder.integer(64, at)));
      }
      builder.call(prelude.function("note"), builder.offset(address, builder.integer(64, last)));
    }
  }

  /**
   * Persists all lines that are noted or held.
   *
   * @param fenced whether a fence follows anyhow, so that flushes will do
   */
  void drainBefore(int step, boolean fenced) {
    builder.before(program.placeBefore(step));
    builder.call(prelude.function(fenced ? "drain_flushes" : "drain"));
  }

  /** Persists the line that is held, unless the step's place lies in it. */
  void turnBefore(int step, Place place) {
    builder.before(program.instruction(step));
    builder.call(prelude.function("turn"), address(place));
  }

  /** As {@link #turnBefore}, where a fence is needed anyhow. */
  void turnAndFenceBefore(int step, Place place) {
    builder.before(program.instruction(step));
    builder.call(prelude.function("turn_flushes"), address(place));
    builder.call(prelude.function("await"));
  }

  /** From here on the line of the step's place is held. */
  void holdAfter(int step, Place place) {
    placeBehind(program.instruction(step));
    builder.call(prelude.function("hold"), address(place));
  }

  /** Counts a store while it is under way: from before it until its flush is done. */
  void countAround(int step, Place place) {
    builder.before(program.instruction(step));
    builder.call(prelude.function("begin"), address(place));
    placeBehind(program.instruction(step));
    builder.call(prelude.function("end"), address(place));
  }

  void fenceBefore(int step) {
    builder.before(program.placeBefore(step));
    builder.call(prelude.function("await"));
  }

  /** The step is about to fence: nothing waits for that any more. */
  void closedBefore(int step) {
    builder.before(program.placeBefore(step));
    builder.call(prelude.function("closed"));
  }

  /** The step has fenced. */
  void closedBy(int step) {
    placeBehind(program.instruction(step));
    builder.call(prelude.function("closed"));
  }

  /** The step has flushed, and may count on a fence that is inserted. */
  void openedBy(int step) {
    placeBehind(program.instruction(step));
    builder.call(prelude.function("opened"));
  }

  /** A fence right behind the step's instruction, and behind what was put there before. */
  void fenceAfter(int step) {
    placeBehind(program.instruction(step));
    builder.call(prelude.function("fence"));
  }

  private void placeBehind(Instruction instruction) {
    if (instruction.opcode() == Opcode.INVOKE) {
      Call invoke = instruction.asCall();
      builder.before(invoke.normalDestination().firstInsertionPoint());
    } else {
      builder.after(instruction);
    }
  }

  private Value address(Place place) {
    Value address = builder.asPointer(program.value(place.location().base()));
    for (Term term : place.location().terms()) {
      Value index = builder.signExtended(program.value(term.value()), 64);
      address = builder.offset(address, builder.multiply(index, builder.integer(64, term.bytes())));
    }
    return place.location().offset() == 0
        ? address
        : builder.offset(address, builder.integer(64, place.location().offset()));
  }

  @Override
  public void close() {
    prelude.makeInternal();
    builder.close();
  }
}
