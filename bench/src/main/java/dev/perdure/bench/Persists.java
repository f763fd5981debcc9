package dev.perdure.bench;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;

/** Numbers of flushes and fences in a program's region of interest. */
abstract class Persists implements EventHandler {
  private boolean counting;
  private long flushes;
  private long fences;

  final long flushes() {
    return flushes;
  }

  final long fences() {
    return fences;
  }

  final void count(long moreFlushes, long moreFences) {
    if (counting) {
      flushes += moreFlushes;
      fences += moreFences;
    }
  }

  @Override
  public final void roiBegin(Event e) {
    counting = true;
  }

  @Override
  public final void roiEnd(Event e) {
    counting = false;
  }
}
