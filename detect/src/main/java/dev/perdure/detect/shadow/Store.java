package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;

/**
 * The store that is being carried out, for all words that it reaches. One object serves a trace.
 */
final class Store {
  ThreadState thread;
  int origin;
  long time;
  boolean nonTemporal;
  boolean atomic;

  Store set(ThreadState thread, Event e, int origin, boolean nonTemporal, boolean atomic) {
    this.thread = thread;
    this.origin = origin;
    this.time = e.time();
    this.nonTemporal = nonTemporal;
    this.atomic = atomic;
    return this;
  }
}
