package dev.perdure.cli;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Ctrl-C and SIGTERM end the target first, so that what is there is still reported. */
final class InterruptHandling implements AutoCloseable {
  private static final String[] SIGNALS = {"INT", "TERM"};

  private final SignalHandler[] before = new SignalHandler[SIGNALS.length];

  private InterruptHandling() {}

  static InterruptHandling during(Runnable interrupt) {
    InterruptHandling handling = new InterruptHandling();
    for (int i = 0; i < SIGNALS.length; i++) {
      handling.before[i] = Signal.handle(new Signal(SIGNALS[i]), signal -> interrupt.run());
    }
    return handling;
  }

  @Override
  public void close() {
    for (int i = 0; i < SIGNALS.length; i++) {
      Signal.handle(new Signal(SIGNALS[i]), before[i]);
    }
  }
}
