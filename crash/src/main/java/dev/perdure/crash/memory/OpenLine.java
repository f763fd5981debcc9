package dev.perdure.crash.memory;

import java.util.ArrayList;
import java.util.List;

/** A line some of whose stores are not persistent. */
final class OpenLine {
  /**
   * The line as a flush of a thread found it.
   *
   * @param lastStore the newest store that it covers
   */
  private static final class Flush {
    final int thread;
    final byte[] content;
    final int lastStore;
    long mask;
    long current;

    Flush(int thread, long mask, byte[] content, int lastStore) {
      this.thread = thread;
      this.mask = mask;
      this.current = mask;
      this.content = content;
      this.lastStore = lastStore;
    }
  }

  final long address;
  private final List<Flush> flushes = new ArrayList<>();
  private List<StoreUnit> units = new ArrayList<>();
  private long open;

  OpenLine(long address) {
    this.address = address;
  }

  /** The bytes whose last store is not persistent. */
  long open() {
    return open;
  }

  boolean isOver() {
    return open == 0 && flushes.isEmpty();
  }

  List<StoreUnit> units() {
    return List.copyOf(units);
  }

  void store(StoreUnit unit) {
    open |= unit.mask();
    units.add(unit);
    for (Flush flush : flushes) {
      flush.current &= ~unit.mask();
    }
  }

  /** Whether anything that a fence of the thread would finish is there. */
  boolean pendingFor(int thread) {
    return flushes.stream().anyMatch(f -> f.thread == thread && f.mask != 0);
  }

  /** A flush, or a non-temporal store with only its own bytes. */
  void flush(int thread, long mask, byte[] content) {
    long covered = mask & open;
    if (covered != 0) {
      int lastStore = units.get(units.size() - 1).store();
      flushes.add(new Flush(thread, covered, content, lastStore));
    }
  }

  /** What a fence of the thread makes persistent, handed over oldest first. */
  void fence(int thread, Persisted persisted) {
    for (int i = 0; i < flushes.size(); i++) {
      Flush flush = flushes.get(i);
      if (flush.thread == thread && flush.mask != 0) {
        persisted.bytes(flush.mask, flush.content, flush.current);
        done(flush);
      }
    }
    flushes.removeIf(f -> f.mask == 0);
  }

  private void done(Flush flush) {
    long current = flush.current;
    open &= ~current;
    long covered = flush.mask;
    flush.mask = 0;
    List<StoreUnit> left = new ArrayList<>();
    for (StoreUnit unit : units) {
      StoreUnit rest = unit.store() <= flush.lastStore ? unit.without(covered) : unit;
      if (rest.mask() != 0) {
        left.add(rest);
      }
    }
    units = left;
    for (Flush other : flushes) {
      other.mask &= ~current;
      other.current &= ~current;
    }
  }

  /** Everything is persistent, as it is now. */
  void close() {
    open = 0;
    flushes.clear();
    units.clear();
  }

  /** Takes what has become persistent. */
  interface Persisted {
    /**
     * @param mask the bytes
     * @param content their values
     * @param current those of them that nothing was stored to since
     */
    void bytes(long mask, byte[] content, long current);
  }
}
