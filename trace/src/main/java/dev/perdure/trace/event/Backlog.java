package dev.perdure.trace.event;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Reads a source by a thread of its own, ahead of the thread that takes the events: a live target
 * waits for that thread only when the backlog is full. What was taken last is used again first, so
 * a short backlog stays in the processor's caches.
 */
public final class Backlog implements Closeable {
  /** About what a batch takes on the heap, with few payloads. */
  private static final long BATCH_BYTES = 48L * EventSource.BATCH;

  private static final long MOST_BYTES = 16L << 20;

  private final EventSource source;
  private final int most;
  private final ArrayDeque<EventBatch> filled = new ArrayDeque<>();
  private final ArrayDeque<EventBatch> free = new ArrayDeque<>();
  private final Thread reader = new Thread(this::read, "event reader");
  private EventBatch taken;
  private Throwable failure;
  private boolean ended;
  private boolean closed;

  private Backlog(EventSource source, int most) {
    this.source = source;
    this.most = most;
  }

  /** Begins to read; the backlog takes an eighth of the heap at the most. */
  public static Backlog of(EventSource source) {
    long bytes = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 8);
    return of(source, (int) Math.max(2, bytes / BATCH_BYTES));
  }

  /** Begins to read; the backlog holds so many batches at the most. */
  static Backlog of(EventSource source, int most) {
    Backlog backlog = new Backlog(source, most);
    backlog.reader.setDaemon(true);
    backlog.reader.start();
    return backlog;
  }

  private void read() {
    Throwable thrown = null;
    try {
      EventBatch batch = new EventBatch(EventSource.BATCH);
      while (batch != null && source.next(batch)) {
        batch = exchange(batch);
      }
    } catch (IOException | RuntimeException | Error e) {
      thrown = e;
    }
    end(thrown);
  }

  private synchronized void end(Throwable thrown) {
    failure = thrown;
    ended = true;
    notifyAll();
  }

  /** Hands a batch on; returns one to fill, or null when nobody wants any more. */
  private synchronized EventBatch exchange(EventBatch batch) {
    filled.add(batch);
    notifyAll();
    while (filled.size() >= most && !closed) {
      waitUninterruptibly();
    }
    if (closed) {
      return null;
    }
    return free.isEmpty() ? new EventBatch(EventSource.BATCH) : free.pop();
  }

  /**
   * The events that come next; null at the end. They are valid until the next call.
   *
   * @throws IOException as the source, once all events before are taken
   */
  public synchronized EventBatch next() throws IOException {
    if (taken != null) {
      free.push(taken);
      taken = null;
    }
    while (filled.isEmpty() && !ended) {
      waitUninterruptibly();
    }
    if (filled.isEmpty()) {
      rethrow();
      return null;
    }
    if (filled.size() == most) {
      notifyAll();
    }
    taken = filled.poll();
    return taken;
  }

  private void rethrow() throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException("the events cannot be read", failure);
    }
  }

  private void waitUninterruptibly() {
    try {
      wait();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting for events", e);
    }
  }

  Thread reader() {
    return reader;
  }

  /** Has the reader stop at its next batch. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
