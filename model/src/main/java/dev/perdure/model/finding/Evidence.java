package dev.perdure.model.finding;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * What a detector can say for a persistency race, and the level it lifts the finding to (SEMANTICS,
 * section 3).
 */
public enum Evidence {
  LOCKSET(Level.POSSIBLE),
  REGION_OVERLAP(Level.PROVEN),
  HAPPENS_BEFORE(Level.PROVEN),
  OBSERVED_READ(Level.OBSERVED),
  DURABLE_EFFECT(Level.HARMFUL),
  NOT_RECOVERED(Level.UNRECOVERED);

  private final Level level;

  Evidence(Level level) {
    this.level = level;
  }

  public Level level() {
    return level;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<Evidence> byLabel(String label) {
    for (Evidence e : values()) {
      if (e.label().equals(label)) {
        return Optional.of(e);
      }
    }
    return Optional.empty();
  }

  /** The highest level that the evidence reaches. */
  public static Level levelOf(Collection<Evidence> evidence) {
    return evidence.stream().map(Evidence::level).max(Level::compareTo).orElse(Level.POSSIBLE);
  }
}
