package dev.perdure.detect.shadow;

/** How a store is made. */
public enum StoreKind {
  PLAIN,
  /** Its synchronisation is looked after by the caller. */
  ATOMIC,
  /** Bypasses the cache: it needs a fence, no flush. */
  NON_TEMPORAL
}
