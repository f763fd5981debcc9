package dev.perdure.binary.plan;

import java.nio.file.Path;

/** What the runtime is told about a module: a word of the index, or the path of a plan. */
public record PlanAnswer(String text) {
  /** The module stays as it is. */
  public static final PlanAnswer NONE = new PlanAnswer("-");

  /** It was built with perdure cc, and observes itself. */
  public static final PlanAnswer HOOKS = new PlanAnswer("hooks");

  static PlanAnswer file(Path plan) {
    return new PlanAnswer(plan.toString());
  }
}
