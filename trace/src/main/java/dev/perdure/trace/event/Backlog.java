package dev.perdure.trace.event;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Reads a source by a thread of its own, ahead of the thread that takes the events. As long as the
 * source has more at once, both take turns: the reader fills the whole backlog, then waits until
 * the taker is nearly through with it. A live target that is recorded faster than it is analysed so
 * runs for a while and then waits for a while, and has the processor's caches to itself while it
 * runs. What was taken last is used again first, so a short backlog stays in the caches.
 */
public final class Backlog implements Closeable {
  /** About what a batch takes on the heap, with few payloads. */
  private static final long BATCH_BYTES = 48L * EventSource.BATCH;

  private static final long MOST_BYTES = 16L << 20;

  private static final int PROMPT = 16;

  /** The reader goes on when one of so many parts of the backlog is left to be taken. */
  private static final int PARTS = 8;

  private final EventSource source;
  private final int most;
  private final Thread reader = new Thread(this::read, "event reader");

  /** Shared, under this object's lock. */
  private final ArrayDeque<EventBatch> filled = new ArrayDeque<>();

  private final ArrayDeque<EventBatch> free = new ArrayDeque<>();

  /** Batches that were handed over and are not given back. */
  private int outstanding;

  private Throwable failure;
  private boolean ended;
  private boolean closed;

  /** The taker's own. */
  private final ArrayDeque<EventBatch> taken = new ArrayDeque<>();

  private EventBatch current;

  private Backlog(EventSource source, int most) {
    this.source = source;
    this.most = most;
  }

  /** Begins to read; the backlog takes an eighth of the heap at the most. */
  public static Backlog of(EventSource source) {
    long bytes = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 8);
    return of(source, (int) Math.max(2, bytes / BATCH_BYTES));
  }

  /** Begins to read for a taker who acts on what the target does: the backlog is short. */
  public static Backlog prompt(EventSource source) {
    return of(source, PROMPT);
  }

  /** Begins to read; so many batches are filled before the taker gets them, at the most. */
  static Backlog of(EventSource source, int most) {
    Backlog backlog = new Backlog(source, most);
    backlog.reader.setDaemon(true);
    backlog.reader.start();
    return backlog;
  }

  private void read() {
    Throwable thrown = null;
    ArrayDeque<EventBatch> spare = new ArrayDeque<>();
    ArrayDeque<EventBatch> group = new ArrayDeque<>();
    try {
      boolean wanted = true;
      while (wanted) {
        EventBatch batch = spare.isEmpty() ? new EventBatch(EventSource.BATCH) : spare.pop();
        if (!source.next(batch)) {
          break;
        }
        group.add(batch);
        if (!batch.isFull() || group.size() >= most) {
          wanted = handOver(group, spare);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      thrown = e;
    }
    end(group, thrown);
  }

  private synchronized void end(ArrayDeque<EventBatch> rest, Throwable thrown) {
    filled.addAll(rest);
    failure = thrown;
    ended = true;
    notifyAll();
  }

  /** Hands batches on and takes free ones back; false when nobody wants any more. */
  private synchronized boolean handOver(
      ArrayDeque<EventBatch> group, ArrayDeque<EventBatch> spare) {
    filled.addAll(group);
    outstanding += group.size();
    group.clear();
    notifyAll();
    while (outstanding > most / PARTS && !closed) {
      waitForOther();
    }
    while (!free.isEmpty()) {
      spare.push(free.pollLast());
    }
    return !closed;
  }

  /**
   * The events that come next; null at the end. They are valid until the next call.
   *
   * @throws IOException as the source, once all events before are taken
   */
  public EventBatch next() throws IOException {
    if (taken.isEmpty()) {
      takeAll();
    } else {
      giveBack();
    }
    current = taken.poll();
    return current;
  }

  private synchronized void takeAll() throws IOException {
    giveBack();
    while (filled.isEmpty() && !ended) {
      waitForOther();
    }
    if (filled.isEmpty()) {
      rethrow();
    }
    taken.addAll(filled);
    filled.clear();
    notifyAll();
  }

  private synchronized void giveBack() {
    if (current != null) {
      free.push(current);
      current = null;
      if (--outstanding == most / PARTS) {
        notifyAll();
      }
    }
  }

  private void rethrow() throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException("the events cannot be read", failure);
    }
  }

  private void waitForOther() {
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
