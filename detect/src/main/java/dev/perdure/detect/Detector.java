package dev.perdure.detect;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The detectors of this module, by the names of {@code --detect}. */
public enum Detector {
  /** HawkSet: effective locksets. */
  LOCKSET,
  /** Vardalith: regions of a store and a load that were open at the same time. */
  REGIONS,
  /** Happens-before, exactly on the recorded execution. */
  HB,
  /** Loads that returned unpersisted bytes. */
  OBSERVED,
  /** Missing and redundant flushes and fences. */
  FLUSH,
  /** What unpersisted bytes flow into; only by name, for programs that were built for it. */
  TAINT;

  /** Those that run when nobody names any. */
  public static Set<Detector> byDefault() {
    return EnumSet.complementOf(EnumSet.of(TAINT));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Detector> byLabel(String label) {
    for (Detector d : values()) {
      if (d.label().equals(label)) {
        return Optional.of(d);
      }
    }
    return Optional.empty();
  }
}
