package dev.perdure.fuzz.campaign;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a campaign is run for: the tiers of PMRace's exploration (section 4.2.3), and replaying. */
public enum Tier {
  EXECUTION,
  INTERLEAVING,
  SEED,
  REPLAY;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The tier of a search by its name. */
  public static Optional<Tier> byLabel(String label) {
    return List.of(EXECUTION, INTERLEAVING, SEED).stream()
        .filter(t -> t.label().equals(label))
        .findFirst();
  }
}
