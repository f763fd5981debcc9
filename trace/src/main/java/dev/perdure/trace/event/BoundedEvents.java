package dev.perdure.trace.event;

import java.util.Optional;

/**
 * Hands on a trace that somebody else may have made, up to the first event that no program can have
 * caused.
 */
public final class BoundedEvents implements EventConsumer {
  private final EventConsumer target;
  private final EventBatch one = new EventBatch(1);
  private long events;
  private Optional<String> problem = Optional.empty();

  public BoundedEvents(EventConsumer target) {
    this.target = target;
  }

  @Override
  public void accept(Event e) {
    one.clear();
    one.add(e);
    accept(one);
  }

  @Override
  public void accept(EventBatch batch) {
    if (problem.isPresent()) {
      return;
    }
    int sound = 0;
    while (sound < batch.size() && isSound(batch, sound)) {
      sound++;
    }
    events += sound;
    if (sound > 0) {
      batch.setSize(sound);
      target.accept(batch);
    }
  }

  private boolean isSound(EventBatch batch, int i) {
    Optional<String> violation =
        EventBounds.violation(
            batch.kind(i),
            batch.info(i),
            batch.thread(i),
            batch.address(i),
            batch.site(i),
            batch.stack(i),
            batch.value(i));
    if (violation.isPresent()) {
      problem =
          Optional.of("event " + (events + i + 1) + " makes no sense (" + violation.get() + ")");
    }
    return violation.isEmpty();
  }

  /** How many events were handed on. */
  public long events() {
    return events;
  }

  /** What was wrong with the first event that was not handed on. */
  public Optional<String> problem() {
    return problem;
  }
}
