package dev.perdure.trace.event;

import java.io.IOException;

/**
 * A source that reads several events at a time, and gives them out one by one where that is asked.
 */
public abstract class BatchedSource implements EventSource {
  private final EventBatch buffered = new EventBatch(BATCH);
  private int taken;

  /** Fills in the events that come next, at least one; false at the end. */
  protected abstract boolean read(EventBatch batch) throws IOException;

  @Override
  public final boolean next(Event event) throws IOException {
    if (taken == buffered.size()) {
      taken = 0;
      if (!read(buffered)) {
        return false;
      }
    }
    buffered.get(taken++, event);
    return true;
  }

  @Override
  public final boolean next(EventBatch batch) throws IOException {
    return taken < buffered.size() ? EventSource.super.next(batch) : read(batch);
  }
}
