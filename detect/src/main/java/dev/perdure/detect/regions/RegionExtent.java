package dev.perdure.detect.regions;

import java.util.Locale;
import java.util.Optional;

/** How far regions reach: Vardalith's and, for comparison, the smaller ones of its evaluation. */
public enum RegionExtent {
  /** Only the window of the store, and the load itself. */
  MINIMAL,
  /**
   * From acquire to the next release, whether the store was persisted by then or not. Windows that
   * are remembered together are taken by the latest store among them.
   */
  IFR,
  /** As IFR, but the region of a store stays open until it is persisted. */
  PIFR;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<RegionExtent> byLabel(String label) {
    for (RegionExtent extent : values()) {
      if (extent.label().equals(label)) {
        return Optional.of(extent);
      }
    }
    return Optional.empty();
  }
}
