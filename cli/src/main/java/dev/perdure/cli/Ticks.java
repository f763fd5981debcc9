package dev.perdure.cli;

import java.util.OptionalDouble;
import java.util.function.LongUnaryOperator;

/** From the recording's clock to nanoseconds. */
final class Ticks {
  private Ticks() {}

  /** The rate as a trace tells it; empty where it does not, or not by a number. */
  static OptionalDouble rate(String perSecond) {
    try {
      return perSecond == null
          ? OptionalDouble.empty()
          : OptionalDouble.of(Double.parseDouble(perSecond));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** -1 for every time where the rate is not known. */
  static LongUnaryOperator toNanos(OptionalDouble ticksPerSecond) {
    if (ticksPerSecond.isEmpty() || !(ticksPerSecond.getAsDouble() > 0)) {
      return ticks -> -1;
    }
    double nanos = 1e9 / ticksPerSecond.getAsDouble();
    return ticks -> (long) (ticks * nanos);
  }
}
