package dev.perdure.robust;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How much the repair thinks before it inserts. */
public enum FixMode {
  /** A flush and a fence behind every store and atomic load of persistent memory. */
  BASE,
  /** Only what the analysis finds missing, fences as late as they may be. */
  OPT,
  /** As {@link #OPT}, and flushes behind atomic loads only while a store is under way. */
  FLIT;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<FixMode> byLabel(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label().equals(label)).findFirst();
  }
}
