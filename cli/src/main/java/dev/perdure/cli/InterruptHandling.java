package dev.perdure.cli;

import dev.perdure.report.run.ExitCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Ctrl-C and SIGTERM end the target first, so that what is there is still reported. The JVM answers
 * these signals by running its shutdown hooks: the hook asks the target to end and then keeps the
 * JVM alive until the command has come to its end. Before there is a target, it says so and ends.
 */
final class InterruptHandling {
  private static final CountDownLatch ENDED = new CountDownLatch(1);
  private static final CompletableFuture<Void> SIGNALLED = new CompletableFuture<>();
  private static final List<InterruptHandling> INSTALLED = new CopyOnWriteArrayList<>();
  private static boolean hooked;
  private static volatile boolean started;
  private static volatile int exitCode;

  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();

  private InterruptHandling() {}

  /** From now on nobody is interrupted without a word. */
  static synchronized void begin() {
    if (!hooked) {
      hooked = true;
      Runtime.getRuntime().addShutdownHook(new Thread(InterruptHandling::shutDown, "interrupt"));
    }
  }

  /** From now on the signals are held back; to be called before there is anything to lose. */
  static InterruptHandling install() {
    InterruptHandling handling = new InterruptHandling();
    begin();
    started = true;
    INSTALLED.add(handling);
    if (SIGNALLED.isDone()) {
      handling.interrupted.complete(null);
    }
    return handling;
  }

  /** What to do on a signal; at once, if there was one already. */
  void forwardTo(Runnable action) {
    interrupted.thenRun(action);
  }

  private static void shutDown() {
    if (ENDED.getCount() == 0) {
      return;
    }
    if (!started) {
      System.err.println("perdure: interrupted before the target was started");
      Runtime.getRuntime().halt(ExitCode.TARGET_BROKEN);
    }
    SIGNALLED.complete(null);
    INSTALLED.forEach(handling -> handling.interrupted.complete(null));
    try {
      ENDED.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }

  /** Ends the JVM with the code, also when a signal has begun to end it already. */
  static void exit(int code) {
    exitCode = code;
    ENDED.countDown();
    System.exit(code);
  }

  /** What is left to do is to report, which no signal hinders. */
  void remove() {
    INSTALLED.remove(this);
  }
}
