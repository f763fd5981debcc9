package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import java.util.List;

/** A whole program, as far as persistence depends on it. */
public final class Program {
  private final List<Routine> routines;
  private final List<Origin> origins;
  private final Values values;

  /**
   * Where a step stands.
   *
   * @param before the instruction that code can be put before, so that it runs whenever the step
   *     does
   * @param site its number among the collected sites
   */
  record Origin(Instruction instruction, Instruction before, int site) {}

  Program(List<Routine> routines, List<Origin> origins, Values values) {
    this.routines = List.copyOf(routines);
    this.origins = List.copyOf(origins);
    this.values = values;
  }

  public List<Routine> routines() {
    return routines;
  }

  /** The instruction that a step stands for. */
  public Instruction instruction(int step) {
    return origins.get(step).instruction();
  }

  /** Where something can be put that has to happen before a step. */
  public Instruction placeBefore(int step) {
    return origins.get(step).before();
  }

  /** The site of a step. */
  public int site(int step) {
    return origins.get(step).site();
  }

  public Value value(int number) {
    return values.value(number);
  }

  public int stepCount() {
    return origins.size();
  }
}
