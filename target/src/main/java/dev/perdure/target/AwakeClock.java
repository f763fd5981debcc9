package dev.perdure.target;

import java.util.function.LongSupplier;

/**
 * Nanoseconds in which this process, and the target with it, could run: it is read many times a
 * second, and where it was not for long, both were suspended (a machine that sleeps, a frozen
 * container, a stopped job). A target is not to be taken for hanging because of that.
 */
final class AwakeClock implements LongSupplier {
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

  private final LongSupplier wall;
  private long last;
  private long awake;

  /**
   * @param wall nanoseconds that go on all the time
   */
  AwakeClock(LongSupplier wall) {
    this.wall = wall;
    this.last = wall.getAsLong();
  }

  @Override
  public synchronized long getAsLong() {
    long now = wall.getAsLong();
    awake += Math.min(now - last, LONGEST_PAUSE_NANOS);
    last = now;
    return awake;
  }
}
