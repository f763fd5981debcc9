package dev.perdure.crash.recovery;

import dev.perdure.target.SiteTables;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Workers on this machine, each with its own copies of the pools. */
public final class LocalRecoveries implements RecoveryRunner {
  private static final int JOBS_A_WORKER = 3;

  private final List<RecoveryProcess> processes = new ArrayList<>();
  private final BlockingQueue<RecoveryProcess> idle;
  private final ExecutorService threads;
  private final Semaphore room;
  private final int capacity;
  private final AtomicReference<RecoveryException> failure = new AtomicReference<>();
  private volatile boolean cancelled;

  /** Starts the workers. */
  public LocalRecoveries(RecoverySetting setting, int workers) throws RecoveryException {
    SiteTables siteTables = new SiteTables();
    OriginalContents contents = new OriginalContents();
    try {
      Files.createDirectories(setting.outputs());
      for (int i = 1; i <= workers; i++) {
        var folder = Files.createDirectories(setting.scratch().resolve("worker" + i));
        processes.add(new RecoveryProcess(setting, folder, siteTables, contents));
      }
    } catch (IOException e) {
      throw new RecoveryException(
          setting.scratch() + ": no room for recovery runs (" + e.getMessage() + ")", e);
    }
    idle = new ArrayBlockingQueue<>(workers, false, processes);
    capacity = JOBS_A_WORKER * workers;
    room = new Semaphore(capacity);
    threads =
        Executors.newFixedThreadPool(
            workers,
            work -> {
              Thread thread = new Thread(work, "recovery");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void submit(RecoveryJob job, Consumer<RecoveryResult> done)
      throws InterruptedException, RecoveryException {
    check();
    room.acquire();
    threads.execute(
        () -> {
          try {
            run(job, done);
          } finally {
            room.release();
          }
        });
  }

  private void run(RecoveryJob job, Consumer<RecoveryResult> done) {
    if (cancelled || failure.get() != null) {
      return;
    }
    RecoveryProcess process = idle.remove();
    try {
      RecoveryResult result = process.run(job);
      if (!cancelled) {
        done.accept(result);
      }
    } catch (RecoveryException e) {
      failure.compareAndSet(null, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, new RecoveryException("a recovery run failed: " + e, e));
    } finally {
      idle.add(process);
    }
  }

  private void check() throws RecoveryException {
    RecoveryException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  @Override
  public void finish() throws InterruptedException, RecoveryException {
    room.acquire(capacity);
    room.release(capacity);
    check();
  }

  @Override
  public void cancel() {
    cancelled = true;
    processes.forEach(RecoveryProcess::interrupt);
  }

  /** Ends what still runs, and waits for that. */
  @Override
  public void close() throws RecoveryException {
    cancel();
    if (!threads.isShutdown()) {
      threads.shutdown();
      room.acquireUninterruptibly(capacity);
      for (RecoveryProcess process : processes) {
        process.close();
      }
    }
  }
}
