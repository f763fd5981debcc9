package dev.perdure.detect.regions;

import java.util.Locale;
import java.util.Optional;

/** Where the region of an access starts: as the definition says, or as Vardalith's runtime does. */
public enum RegionStart {
  /** After the last acquire of the thread, which the trace tells. */
  LOOKBACK,
  /** Where the program announced it, at a place that was found in its code; else at the access. */
  STATIC;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<RegionStart> byLabel(String label) {
    for (RegionStart start : values()) {
      if (start.label().equals(label)) {
        return Optional.of(start);
      }
    }
    return Optional.empty();
  }
}
