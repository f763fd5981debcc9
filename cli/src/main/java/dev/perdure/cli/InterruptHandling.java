package dev.perdure.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Ctrl-C and SIGTERM end the target first, so that what is there is still reported. The JVM answers
 * these signals by running its shutdown hooks: the hook asks the target to end and then keeps the
 * JVM alive until the command has come to its end.
 */
final class InterruptHandling {
  private static final CountDownLatch ENDED = new CountDownLatch(1);
  private static volatile int exitCode;

  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  private final Thread hook = new Thread(this::interrupt, "interrupt");

  private InterruptHandling() {}

  /** From now on the signals are held back; to be called before there is anything to lose. */
  static InterruptHandling install() {
    InterruptHandling handling = new InterruptHandling();
    Runtime.getRuntime().addShutdownHook(handling.hook);
    return handling;
  }

  /** What to do on a signal; at once, if there was one already. */
  void forwardTo(Runnable action) {
    interrupted.thenRun(action);
  }

  private void interrupt() {
    interrupted.complete(null);
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

  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs already: it waits for exit().
    }
  }
}
