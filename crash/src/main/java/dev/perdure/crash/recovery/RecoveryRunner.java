package dev.perdure.crash.recovery;

import java.util.function.Consumer;

/** Runs recovery jobs, here or elsewhere. */
public interface RecoveryRunner extends AutoCloseable {
  /** Takes a job; waits while there are too many of them. The result may come on any thread. */
  void submit(RecoveryJob job, Consumer<RecoveryResult> done)
      throws InterruptedException, RecoveryException;

  /** Waits for all results. */
  void finish() throws InterruptedException, RecoveryException;

  /** Gives up the jobs that have not ended. */
  void cancel();

  @Override
  void close() throws RecoveryException;
}
