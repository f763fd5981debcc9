package dev.perdure.trace.file;

import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Saves a trace. Encoding, compressing and writing are done by a thread of its own, so that the
 * analysis does not wait for them. Definitions are asked for when events that may use them are
 * written, by that thread. When the file reaches its limit, or cannot grow, later events are
 * counted and left out: analysis goes on without them, and the file says so.
 *
 * <p>One thread uses a writer. What it tells is exact once it is finished.
 */
public final class TraceWriter implements Closeable {
  private static final int BATCHES = 8;
  private static final int BATCH_EVENTS = 2048;

  private final ChunkWriter chunks;
  private final BlockingQueue<EventBatch> full = new ArrayBlockingQueue<>(BATCHES + 1);
  private final BlockingQueue<EventBatch> free = new ArrayBlockingQueue<>(BATCHES + 1);
  private final EventBatch last = new EventBatch(0);
  private final Thread worker = new Thread(this::write, "trace writer");
  private volatile Throwable failure;
  private EventBatch batch = new EventBatch(BATCH_EVENTS);
  private long appended;

  private TraceWriter(ChunkWriter chunks) {
    this.chunks = chunks;
    for (int i = 1; i < BATCHES; i++) {
      free.add(new EventBatch(BATCH_EVENTS));
    }
    worker.setDaemon(true);
    worker.start();
  }

  /**
   * Creates the file, readable by its owner only.
   *
   * @param limit the most bytes that chunks of events may bring the file to
   */
  public static TraceWriter create(Path path, Definitions definitions, long limit)
      throws IOException {
    return new TraceWriter(new ChunkWriter(new ChunkOutput(path), definitions, limit));
  }

  /** Says something of the whole trace; the last value of a key counts. */
  public void metadata(String key, String value) {
    chunks.metadata(key, value);
  }

  /** Adds the next event of the trace. */
  public void append(Event event) {
    batch.add(event);
    appended++;
    if (batch.isFull()) {
      handOver();
    }
  }

  /** Adds the next events of the trace. */
  public void append(EventBatch events) {
    int done = 0;
    while (done < events.size()) {
      int count = Math.min(events.size() - done, batch.capacity() - batch.size());
      batch.add(events, done, count);
      done += count;
      if (batch.isFull()) {
        handOver();
      }
    }
    appended += done;
  }

  private void handOver() {
    checkWorker();
    full.add(batch);
    batch = uninterruptedly(free);
    batch.clear();
  }

  private void write() {
    for (EventBatch b = uninterruptedly(full); b != last; b = uninterruptedly(full)) {
      try {
        if (failure == null) {
          chunks.append(b);
        }
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      free.add(b);
    }
  }

  private static EventBatch uninterruptedly(BlockingQueue<EventBatch> queue) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return queue.take();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void checkWorker() {
    if (failure != null) {
      throw new IllegalStateException("the trace cannot be written", failure);
    }
  }

  /** Events that are in the file. */
  public long written() {
    return chunks.written();
  }

  /** Events that were left out. */
  public long dropped() {
    return appended - chunks.written();
  }

  /** Bytes of the file. */
  public long bytes() {
    return chunks.bytes();
  }

  /** Why events were left out, in words; empty if none were. */
  public Optional<String> stopped() {
    return chunks.stopped();
  }

  /** Writes what is left and the mark that makes the file complete. */
  public void finish() {
    handOver();
    endWorker();
    checkWorker();
    chunks.finish(appended);
  }

  private void endWorker() {
    if (worker.isAlive()) {
      full.add(last);
      boolean interrupted = false;
      while (worker.isAlive()) {
        try {
          worker.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Closes the file; without {@link #finish} it stays an incomplete trace. */
  @Override
  public void close() throws IOException {
    endWorker();
    chunks.close();
  }
}
