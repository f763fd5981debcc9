package dev.perdure.fuzz.interleaving;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The strategies, by the names of {@code --strategy}. */
public enum Strategies {
  PMAWARE,
  DELAY,
  PCT;

  public String label() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  public static Optional<Strategies> byLabel(String label) {
    return List.of(values()).stream().filter(s -> s.label().equals(label)).findFirst();
  }

  /** A new one, for one search. */
  public Strategy create(Duration writerWait) {
    return switch (this) {
      case PMAWARE -> new PmAware(writerWait);
      case DELAY -> new RandomDelays();
      case PCT -> new Priorities();
    };
  }
}
