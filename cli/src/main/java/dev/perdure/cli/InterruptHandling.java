package dev.perdure.cli;

import java.util.concurrent.CountDownLatch;

/**
 * Ctrl-C and SIGTERM end the target first, so that what is there is still reported. The JVM answers these signals by running its
 * shutdown hooks: the hook asks the target to end and then keeps the JVM alive until the command has come to its end.
 */
final class InterruptHandling implements AutoCloseable {
  private static final CountDownLatch ENDED = new CountDownLatch(1);
  private static volatile int exitCode;

  private final Thread hook;

  private InterruptHandling(Runnable interrupt) {
    hook =
        new Thread(
            () -> {
              interrupt.run();
              try {
                ENDED.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(exitCode);
            },
            "interrupt");
  }

  static InterruptHandling during(Runnable interrupt) {
    InterruptHandling handling = new InterruptHandling(interrupt);
    Runtime.getRuntime().addShutdownHook(handling.hook);
    return handling;
  }

  /** Ends the JVM with the code, also when a signal has begun to end it already. */
  static void exit(int code) {
    exitCode = code;
    ENDED.countDown();
    System.exit(code);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs already: it waits for exit().
    }
  }
}
