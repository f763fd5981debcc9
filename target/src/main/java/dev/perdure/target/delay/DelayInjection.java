package dev.perdure.target.delay;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import dev.perdure.trace.live.Schedule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** Watches the events of a running target and tells it, by the schedule, where to sleep. */
public final class DelayInjection {
  private record Sleep(int site, long racesBefore) {}

  private final Schedule schedule;
  private final Duration delay;
  private final double decay;
  private final IntToLongFunction races;
  private final Map<Integer, Double> probabilities = new HashMap<>();
  private final Map<Integer, Sleep> asleep = new HashMap<>();

  /**
   * @param decay what the probability of a place loses when nothing came of a sleep, of 1
   * @param races how often regions of a thread have overlapped those of others so far
   */
  public DelayInjection(Schedule schedule, Duration delay, double decay, IntToLongFunction races) {
    this.schedule = schedule;
    this.delay = delay;
    this.decay = decay;
    this.races = races;
    schedule.letHalfSleep();
    schedule.delayReleases(delay);
  }

  /** The next event, which the detectors have seen already. */
  public void see(Event e) {
    switch (e.kind()) {
      case EventKind.DELAY ->
          asleep.put(e.thread(), new Sleep(e.site(), races.applyAsLong(e.thread())));
      case EventKind.RELEASE, EventKind.SEM_POST, EventKind.ONCE_DONE, EventKind.BARRIER_ENTER ->
          release(e);
      case EventKind.STORE, EventKind.RMW -> {
        if (MemoryOrder.releases(e.order())) {
          release(e);
        }
      }
      default -> {}
    }
  }

  private void release(Event e) {
    if (e.site() == 0) {
      return;
    }
    Sleep sleep = asleep.remove(e.thread());
    if (sleep != null && races.applyAsLong(e.thread()) == sleep.racesBefore) {
      double less = Math.max(0, probabilities.getOrDefault(sleep.site, 1.0) - decay);
      probabilities.put(sleep.site, less);
      if (!schedule.delay(sleep.site, delay, less)) {
        schedule.delayReleases(Duration.ZERO);
      }
    }
    probabilities.putIfAbsent(e.site(), 1.0);
  }

  /** The probability of a sleep at a place; 0 where there never was a release. */
  public double probability(int site) {
    return probabilities.getOrDefault(site, 0.0);
  }
}
