package dev.perdure.detect.taint;

/**
 * A load of bytes of an open window. The window is known by the time and the thread of its store,
 * which stay the same when the shadow moves its records.
 */
record Dependency(
    long word,
    int mask,
    int granule,
    long storeTime,
    int storeIndex,
    int storeOrigin,
    boolean own,
    int loadOrigin,
    int loadIndex,
    int loadThread,
    int loadEpoch,
    int loadLockset,
    long loadTime) {

  /** The first byte. */
  long address() {
    return word + (long) Integer.numberOfTrailingZeros(mask) * granule;
  }

  int size() {
    return Integer.bitCount(mask) * granule;
  }

  /** Whether an effect of either is the same finding. */
  boolean givesTheSameAs(Dependency other) {
    return storeOrigin == other.storeOrigin && loadOrigin == other.loadOrigin && own == other.own;
  }

  /** Whether all bytes of a range are among those that were read. */
  boolean covers(long from, long length) {
    return from >= address() && from + length <= address() + size();
  }
}
