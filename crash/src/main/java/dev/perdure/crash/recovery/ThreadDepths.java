package dev.perdure.crash.recovery;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;

/** How deep each thread is in nested blocks of some kind. */
final class ThreadDepths {
  private final Int2IntOpenHashMap depths = new Int2IntOpenHashMap();

  void enter(int thread) {
    depths.addTo(thread, 1);
  }

  void leave(int thread) {
    if (any(thread)) {
      depths.addTo(thread, -1);
    }
  }

  boolean any(int thread) {
    return depths.get(thread) > 0;
  }
}
