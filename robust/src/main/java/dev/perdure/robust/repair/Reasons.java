package dev.perdure.robust.repair;

import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import java.util.HashMap;
import java.util.Map;

/** Says in words what the steps of a program are. */
public final class Reasons {
  private final Program program;
  private final Map<Integer, Step> steps = new HashMap<>();
  private final Map<Integer, Integer> routines = new HashMap<>();
  private final Map<Integer, Integer> blocks = new HashMap<>();

  public Reasons(Program program) {
    this.program = program;
    for (Routine routine : program.routines()) {
      for (int i = 0; i < routine.blocks().size(); i++) {
        for (Step step : routine.blocks().get(i).steps()) {
          steps.put(step.id(), step);
          blocks.put(step.id(), i);
          routines.put(step.id(), routine.index());
        }
      }
    }
  }

  public Step step(int id) {
    return steps.get(id);
  }

  /** The function that a step stands in. */
  public Routine routine(int id) {
    return program.routines().get(routines.get(id));
  }

  /** The index of the block that a step stands in, in its function. */
  public int block(int id) {
    return blocks.get(id);
  }

  /** What has to wait until everything is persistent. */
  public String point(int id) {
    Step step = steps.get(id);
    if (step instanceof Step.Write) {
      return "the store to other memory that survives a crash";
    } else if (step instanceof Step.Release release) {
      return "the " + release.what() + ", after which other threads may rely on it";
    } else if (step instanceof Step.Call call) {
      return "the call of "
          + program.routines().get(call.routine()).name()
          + ", which stores to persistent memory or lets others see it";
    } else if (step instanceof Step.Exit exit && exit.last()) {
      return "the end of the program";
    } else if (step instanceof Step.Exit) {
      return "the end of " + routine(id).name();
    }
    return "the object is published";
  }

  /** What is not persistent. */
  public String origin(int id) {
    return steps.get(id) instanceof Step.AtomicRead ? "atomic load" : "store";
  }
}
