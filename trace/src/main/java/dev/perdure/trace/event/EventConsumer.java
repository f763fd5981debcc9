package dev.perdure.trace.event;

/** Takes a trace, event by event or some at a time. */
@FunctionalInterface
public interface EventConsumer {
  /** The event is a flyweight: it is valid during the call only. */
  void accept(Event e);

  default void accept(EventBatch batch) {
    Event flyweight = new Event();
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i, flyweight);
      accept(flyweight);
    }
  }
}
