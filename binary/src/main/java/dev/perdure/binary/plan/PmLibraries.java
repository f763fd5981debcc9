package dev.perdure.binary.plan;

/** How much of libpmem, libpmem2 and libpmemobj is observed. */
public enum PmLibraries {
  /** Everything: they are code under test. */
  OBSERVED,
  /**
   * What they change: stores, flushes, fences and locked instructions. What they read is trusted.
   */
  WITHOUT_LOADS,
  /** Nothing of them, nor of what is loaded for their sake only. */
  LEFT_ALONE;
}
