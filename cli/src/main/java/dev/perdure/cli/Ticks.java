package dev.perdure.cli;

import java.util.OptionalDouble;
import java.util.function.LongUnaryOperator;

/** From the recording's clock to nanoseconds. */
final class Ticks {
  private Ticks() {}

  /** -1 for every time where the rate is not known. */
  static LongUnaryOperator toNanos(OptionalDouble ticksPerSecond) {
    if (ticksPerSecond.isEmpty() || ticksPerSecond.getAsDouble() <= 0) {
      return ticks -> -1;
    }
    double nanos = 1e9 / ticksPerSecond.getAsDouble();
    return ticks -> (long) (ticks * nanos);
  }
}
