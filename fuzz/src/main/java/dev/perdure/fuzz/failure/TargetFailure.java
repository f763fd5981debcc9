package dev.perdure.fuzz.failure;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.target.Outcome;
import dev.perdure.trace.event.Symbols;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The finding of a campaign in which the program failed. */
public final class TargetFailure {
  private TargetFailure() {}

  /**
   * What the program came to; empty if it did not fail.
   *
   * @param failedIn the number of the calls in which a signal ended it; 0 if that is not known
   * @param trace of the campaign
   */
  public static Optional<Finding> of(Outcome outcome, int failedIn, Path trace, Symbols symbols)
      throws IOException {
    if (outcome.cause() == Outcome.Cause.TIMEOUT) {
      return Optional.of(hang(trace, symbols));
    }
    boolean crashed = outcome.cause() == Outcome.Cause.TARGET && outcome.signal().isPresent();
    return crashed ? Optional.of(crash(outcome, failedIn, symbols)) : Optional.empty();
  }

  private static Finding hang(Path trace, Symbols symbols) throws IOException {
    SpinningThreads threads = new SpinningThreads();
    try (TraceFile file = TraceFile.open(trace)) {
      file.forEach(threads);
    }
    Optional<Place> change =
        threads.waitedFor().map(s -> new Place(symbols.site(s.site()), calls(s.stack(), symbols)));
    return finding(
        change.map(p -> Map.of(Role.STORE, p)).orElse(Map.of()),
        change.isPresent()
            ? "the program did not come to an end: threads wait for what this store changed last, a"
                + " lock that is not released, or a loop"
            : "the program did not come to an end: a lock that is not released, or a loop");
  }

  private static Finding crash(Outcome outcome, int failedIn, Symbols symbols) {
    Map<Role, Place> places =
        failedIn == 0
            ? Map.of()
            : Map.of(
                Role.EFFECT,
                new Place(
                    symbols.site(symbols.topSite(failedIn)),
                    calls(symbols.parent(failedIn), symbols)));
    return finding(places, "the program " + outcome.description());
  }

  private static CallStack calls(int stack, Symbols symbols) {
    return stack == 0 ? CallStack.EMPTY : symbols.callStack(stack);
  }

  private static Finding finding(Map<Role, Place> places, String message) {
    return new Finding(
        FindingKind.TARGET_FAILURE,
        places,
        Map.of(),
        Set.of(),
        1,
        message,
        Optional.empty(),
        List.of());
  }
}
