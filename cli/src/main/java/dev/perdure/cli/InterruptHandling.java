package dev.perdure.cli;

import dev.perdure.report.run.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Ctrl-C and SIGTERM end the target first, so that what is there is still reported. The JVM answers
 * the first of these signals by running its shutdown hooks: the hook asks the target to end and
 * then keeps the JVM alive until the command has come to its end; further signals are passed on,
 * too. Before there is a target, it says so and ends.
 */
final class InterruptHandling {
  private static final CountDownLatch ENDED = new CountDownLatch(1);
  private static final List<InterruptHandling> INSTALLED = new ArrayList<>();
  private static int signals;
  private static boolean hooked;
  private static boolean started;
  private static volatile int exitCode;

  /** Signals that nobody has answered yet. */
  private int open;

  private Runnable action;

  private InterruptHandling(int open) {
    this.open = open;
  }

  /** From now on nobody is interrupted without a word. */
  static synchronized void begin() {
    if (!hooked) {
      hooked = true;
      Runtime.getRuntime().addShutdownHook(new Thread(InterruptHandling::shutDown, "interrupt"));
    }
  }

  /** From now on the signals are held back; to be called before there is anything to lose. */
  static synchronized InterruptHandling install() {
    begin();
    started = true;
    InterruptHandling handling = new InterruptHandling(signals);
    INSTALLED.add(handling);
    return handling;
  }

  /** What to do on each signal; at once for those that there were already. */
  synchronized void forwardTo(Runnable answer) {
    action = answer;
    while (open > 0) {
      open--;
      action.run();
    }
  }

  private synchronized void signalled() {
    open++;
    if (action != null) {
      forwardTo(action);
    }
  }

  private static void shutDown() {
    if (ENDED.getCount() == 0) {
      return;
    }
    passOn();
    LaterSignals.handle(InterruptHandling::passOn);
    try {
      ENDED.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }

  private static synchronized void passOn() {
    if (!started) {
      System.err.println("perdure: interrupted before the target was started");
      Runtime.getRuntime().halt(ExitCode.TARGET_BROKEN);
    }
    signals++;
    INSTALLED.forEach(InterruptHandling::signalled);
  }

  /** Ends the JVM with the code, also when a signal has begun to end it already. */
  static void exit(int code) {
    exitCode = code;
    ENDED.countDown();
    System.exit(code);
  }

  /** What is left to do is to report, which no signal hinders. */
  void remove() {
    remove(this);
  }

  private static synchronized void remove(InterruptHandling handling) {
    INSTALLED.remove(handling);
  }
}
