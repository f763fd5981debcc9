package dev.perdure.model.region;

import java.util.Locale;

/** What an access does with memory. */
public enum AccessKind {
  LOAD,
  STORE;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
