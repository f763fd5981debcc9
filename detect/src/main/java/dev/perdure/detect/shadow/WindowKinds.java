package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.LongIndex;

/**
 * What windows that are over have in common, interned: store thread, store site, ending thread, and
 * whether they were overwritten. A window that its own thread ended is kept by the thread's index:
 * what an earlier thread of the index did is ordered before all that the later one does.
 */
final class WindowKinds {
  /** Kinds that a cell can name; beyond them windows are not remembered. */
  static final int LIMIT = 1 << 24;

  private static final int CACHE = 1024;

  private final LongIndex threadPairs = new LongIndex();
  private final LongIndex kinds = new LongIndex();
  private int[] storers = new int[64];
  private int[] endIndices = new int[64];
  private final long[] cachedKeys = new long[CACHE];
  private final int[] cachedKinds = new int[CACHE];

  /**
   * @param storer the number of the thread that made the store
   * @param own whether it is the thread that ends the window
   */
  int of(int storer, boolean own, int endIndex, int site, boolean overwritten) {
    long what = (long) site << 1 | (overwritten ? 1 : 0);
    if (!own) {
      return intern((long) storer << 32 | endIndex, what, storer, endIndex);
    }
    long key = what << 16 | endIndex;
    int slot = (int) (what * 31 + endIndex) & CACHE - 1;
    if (cachedKeys[slot] != key || cachedKinds[slot] == 0) {
      cachedKeys[slot] = key;
      cachedKinds[slot] = intern(endIndex, what, 0, endIndex) + 1;
    }
    return cachedKinds[slot] - 1;
  }

  /** Numbers of threads start at 1, so that pairs and single indices are told apart. */
  private int intern(long who, long what, int storer, int endIndex) {
    int kind = kinds.add((long) threadPairs.add(who) << 33 | what);
    storers = LongIndex.fit(storers, kind);
    endIndices = LongIndex.fit(endIndices, kind);
    storers[kind] = storer;
    endIndices[kind] = endIndex;
    return kind;
  }

  /** The number of the storing thread; 0 where the ending thread is the same. */
  int storer(int kind) {
    return storers[kind];
  }

  int endIndex(int kind) {
    return endIndices[kind];
  }
}
