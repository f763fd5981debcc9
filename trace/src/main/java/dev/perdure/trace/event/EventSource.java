package dev.perdure.trace.event;

import java.io.IOException;

/** A trace in its one order, whatever it comes from: live rings, a file, text, a test. */
public interface EventSource {
  /** Fills in the next event; false at the end. A live source waits for it. */
  boolean next(Event event) throws IOException;

  /** Feeds the whole trace to a handler and returns the number of events. */
  default long forEach(EventHandler handler) throws IOException {
    Event event = new Event();
    long n = 0;
    while (next(event)) {
      EventHandler.dispatch(event, handler);
      n++;
    }
    return n;
  }
}
