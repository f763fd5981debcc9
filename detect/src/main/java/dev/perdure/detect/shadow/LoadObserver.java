package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;

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
      int[] a,
      int w,
      long address,
      int mask,
      long value,
      boolean known,
      int granule,
      ThreadState thread,
      Event e,
      int origin);
}
