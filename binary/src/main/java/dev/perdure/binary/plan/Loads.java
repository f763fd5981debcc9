package dev.perdure.binary.plan;

/** Whether a plan observes what a module only reads. */
enum Loads {
  OBSERVED(""),
  TRUSTED("-stores");

  private final String inNames;

  Loads(String inNames) {
    this.inNames = inNames;
  }

  /** What tells the names of such plans from others. */
  String inNames() {
    return inNames;
  }
}
