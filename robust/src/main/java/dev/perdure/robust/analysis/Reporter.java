package dev.perdure.robust.analysis;

/** Is told of violations while a function is analysed for good. */
interface Reporter {
  /** While summaries are still growing, violations mean nothing. */
  Reporter NONE =
      new Reporter() {
        @Override
        public void violation(Violation violation) {}

        @Override
        public void reachable(int store) {}

        @Override
        public boolean placesFences() {
          return false;
        }
      };

  void violation(Violation violation);

  /** A store to memory that others can reach. */
  void reachable(int store);

  /**
   * Whether a fence is put before a step that needs one; otherwise what it needs counts as done.
   */
  boolean placesFences();
}
