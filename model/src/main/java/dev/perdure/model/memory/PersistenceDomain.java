package dev.perdure.model.memory;

import java.util.Locale;
import java.util.Optional;

/** What survives a crash: {@code --model}. */
public enum PersistenceDomain {
  /** Caches are lost: a store needs a flush and a fence. */
  ADR,
  /** Caches survive: a store is persistent when it is visible. */
  EADR,
  /** CXL memory with volatile host caches: as {@link #ADR}, without relying on a global flush. */
  CXL;

  public boolean cachesAreVolatile() {
    return this != EADR;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<PersistenceDomain> byLabel(String label) {
    for (PersistenceDomain d : values()) {
      if (d.label().equals(label)) {
        return Optional.of(d);
      }
    }
    return Optional.empty();
  }
}
