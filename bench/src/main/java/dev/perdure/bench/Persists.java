package dev.perdure.bench;

import dev.perdure.trace.event.EventHandler;

/** Numbers of flushes and fences of a program's threads, without the first, which fills it. */
abstract class Persists implements EventHandler {
  private static final int FIRST_THREAD = 1;

  private long flushes;
  private long fences;

  final long flushes() {
    return flushes;
  }

  final long fences() {
    return fences;
  }

  final void count(int thread, long moreFlushes, long moreFences) {
    if (thread != FIRST_THREAD) {
      flushes += moreFlushes;
      fences += moreFences;
    }
  }
}
