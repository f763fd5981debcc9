package dev.perdure.model.finding;

import java.util.Locale;
import java.util.Optional;

/** The vocabulary of findings (SEMANTICS, section 6). */
public enum FindingKind {
  PERSISTENCY_RACE("PR"),
  INTRA_THREAD_INCONSISTENCY("IT"),
  SYNC_INCONSISTENCY("SI"),
  CROSS_FAILURE_RACE("CR"),
  CROSS_FAILURE_SEMANTIC("CS"),
  RECOVERY_FAILURE("RF"),
  TARGET_FAILURE("TF"),
  MISSING_FLUSH("MF"),
  MISSING_FENCE("MN"),
  REDUNDANT_FLUSH("XF"),
  REDUNDANT_FENCE("XN"),
  REDUNDANT_LOG("XL"),
  ROBUSTNESS_VIOLATION("RV");

  private final String prefix;

  FindingKind(String prefix) {
    this.prefix = prefix;
  }

  /** The two letters before the dash of an id. */
  public String prefix() {
    return prefix;
  }

  /** The name in reports and files, e.g. {@code persistency-race}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<FindingKind> byLabel(String label) {
    for (FindingKind k : values()) {
      if (k.label().equals(label)) {
        return Optional.of(k);
      }
    }
    return Optional.empty();
  }
}
