package dev.perdure.trace.live;

import java.util.OptionalDouble;

/**
 * The rate of the recording's clock, from the times of events and the moments they were seen first.
 * The longer the target runs, the smaller the error: a look comes at most about a millisecond late.
 */
final class ClockRate {
  private static final long SHORTEST_NANOS = 5_000_000;

  private long firstTime;
  private long firstNanos;
  private long lastTime;
  private long lastNanos;
  private boolean any;

  void saw(long time, long nanos) {
    if (time == Long.MIN_VALUE || any && time <= lastTime) {
      return;
    }
    if (!any) {
      any = true;
      firstTime = time;
      firstNanos = nanos;
    }
    lastTime = time;
    lastNanos = nanos;
  }

  OptionalDouble perSecond() {
    long nanos = lastNanos - firstNanos;
    return nanos < SHORTEST_NANOS
        ? OptionalDouble.empty()
        : OptionalDouble.of((lastTime - firstTime) * 1e9 / nanos);
  }
}
