package dev.perdure.bench;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;

/** The flushes and fence instructions that a program has executed. */
final class ExecutedPersists extends Persists {
  @Override
  public void flush(Event e) {
    count(e.thread(), 1, 0);
  }

  @Override
  public void fence(Event e) {
    boolean instruction = e.info() == EventInfo.FENCE_SFENCE || e.info() == EventInfo.FENCE_MFENCE;
    count(e.thread(), 0, instruction ? 1 : 0);
  }
}
