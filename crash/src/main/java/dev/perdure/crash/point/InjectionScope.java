package dev.perdure.crash.point;

/**
 * Where in a run failures may be injected, as its marks and the rules say: in its region of
 * interest, not where it skips them, and not after it has called detection complete.
 */
final class InjectionScope {
  private final PointRules rules;
  private final Declarations declarations;
  private int interestDepth;
  private int skipDepth;
  private boolean complete;

  InjectionScope(PointRules rules, Declarations declarations) {
    this.rules = rules;
    this.declarations = declarations;
  }

  /** Whether a failure is possible now, in a thread that is inside a PM library or is not. */
  boolean allows(boolean inLibrary) {
    boolean interesting = !declarations.hasRegionOfInterest() || interestDepth > 0;
    return rules.behind().isEmpty()
        && interesting
        && skipDepth == 0
        && !complete
        && (!inLibrary || rules.insideLibraries());
  }

  void beginInterest() {
    interestDepth++;
  }

  void endInterest() {
    interestDepth = Math.max(0, interestDepth - 1);
  }

  /** Whether the next end of a region of interest leaves all of them. */
  boolean inOutermostInterest() {
    return interestDepth == 1;
  }

  void beginSkip() {
    skipDepth++;
  }

  void endSkip() {
    skipDepth = Math.max(0, skipDepth - 1);
  }

  void complete() {
    complete = true;
  }
}
