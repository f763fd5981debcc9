package dev.perdure.model.finding;

import java.util.Locale;
import java.util.Optional;

/** How sure a finding is, in rising order. */
public enum Level {
  POSSIBLE,
  PROVEN,
  OBSERVED,
  HARMFUL,
  UNRECOVERED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Level> byLabel(String label) {
    for (Level l : values()) {
      if (l.label().equals(label)) {
        return Optional.of(l);
      }
    }
    return Optional.empty();
  }
}
