package dev.perdure.detect.shadow;

/** Hears of loads that may see something new. */
public interface LoadObserver {
  /**
   * Some bytes of a word were loaded.
   *
   * @param value the bytes, each in its lane, where they are known
   * @param granule how many bytes a bit of the mask stands for
   * @return whether the load goes on record
   */
  boolean loaded(
      int[] a, int w, long address, int mask, long value, boolean known, int granule, Access load);
}
