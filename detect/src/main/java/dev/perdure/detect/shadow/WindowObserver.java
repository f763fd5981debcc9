package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;

/**
 * Hears of what happens to the words of the shadow. A word is given by its array and its place in
 * it.
 */
public interface WindowObserver {
  /** A window of those bytes was opened by a store of the thread that is not exempt. */
  void opened(int[] a, int w, int window, int mask, ThreadState thread);

  /** Bytes of an open window are persisted now; it ends for them. */
  void persisted(int[] a, int w, int window, int mask);

  /**
   * A window, or the part that the mask of the record tells, was ended by the thread. Returns the
   * effective lockset that it is remembered with.
   *
   * @param race what {@link Windows#race} said before the end
   */
  int ended(int[] a, int w, int window, int race, ThreadState thread);

  /** A store that is no atomic one hit a word with atomic locations. */
  void overwroteAtomic(ThreadState thread, long address, int mask, long value);

  /** A word with atomic locations was allocated or freed. */
  void forgotAtomic(long address, int mask);
}
