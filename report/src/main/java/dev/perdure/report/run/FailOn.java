package dev.perdure.report.run;

import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Level;
import java.util.Optional;

/**
 * {@code --fail-on}: the lowest level of persistency race that makes the exit code 1. Other kinds
 * always do, unless nothing does.
 */
public record FailOn(Optional<Level> lowest) {
  public static final FailOn NEVER = new FailOn(Optional.empty());
  public static final FailOn DEFAULT = new FailOn(Optional.of(Level.POSSIBLE));

  /** Reads a level or {@code never}. */
  public static Optional<FailOn> parse(String word) {
    return word.equals("never")
        ? Optional.of(NEVER)
        : Level.byLabel(word).map(level -> new FailOn(Optional.of(level)));
  }

  /** Whether this finding makes the exit code 1. */
  public boolean fails(ReportedFinding reported) {
    if (lowest.isEmpty() || !reported.counts()) {
      return false;
    }
    return reported.finding().kind() != FindingKind.PERSISTENCY_RACE
        || reported.finding().level().compareTo(lowest.get()) >= 0;
  }
}
