package dev.perdure.trace.event;

import java.io.IOException;

/** A trace in its one order, whatever it comes from: live rings, a file, text, a test. */
public interface EventSource {
  /** Events that {@link #forEach} hands on at a time, at the most. */
  int BATCH = 256;

  /** Fills in the next event; false at the end. A live source waits for it. */
  boolean next(Event event) throws IOException;

  /**
   * Fills in the events that come next, at least one; false at the end. A live source waits for the
   * first of them only.
   */
  default boolean next(EventBatch batch) throws IOException {
    Event event = new Event();
    batch.clear();
    if (next(event)) {
      batch.add(event);
    }
    return batch.size() > 0;
  }

  /** Feeds the whole trace to a consumer and returns the number of events. */
  default long forEach(EventConsumer consumer) throws IOException {
    EventBatch batch = new EventBatch(BATCH);
    long n = 0;
    while (next(batch)) {
      consumer.accept(batch);
      n += batch.size();
    }
    return n;
  }
}
