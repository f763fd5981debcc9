package dev.perdure.detect.calm;

import dev.perdure.detect.sync.ThreadState;

/** A visit that a thread is making to a line. Objects are used again. */
final class Visit {
  private final ThreadVisits home;
  private long line;
  private int block;
  private int path;

  /** Bytes that were stored and not flushed, and those that were flushed and not fenced. */
  private long dirty;

  private long pending;

  private final long[] times = new long[VisitPaths.LONGEST];
  private final long[] values = new long[VisitPaths.LONGEST];
  private int length;

  Visit(ThreadVisits home) {
    this.home = home;
  }

  void begin(long newLine, int newBlock) {
    line = newLine;
    block = newBlock;
    path = VisitPaths.ROOT;
    dirty = 0;
    pending = 0;
    length = 0;
  }

  boolean isOf(long otherLine) {
    return line == otherLine;
  }

  /** The address of the line. */
  long address() {
    return line << 6;
  }

  /** What is known of the line; it stays where it is during the visit. */
  int block() {
    return block;
  }

  /** The visits of its thread. */
  ThreadVisits home() {
    return home;
  }

  ThreadState thread() {
    return home.thread();
  }

  int path() {
    return path;
  }

  /** Whether all that was stored is persistent. */
  boolean isClean() {
    return (dirty | pending) == 0;
  }

  boolean isDirty() {
    return dirty != 0;
  }

  boolean isPending() {
    return pending != 0;
  }

  void took(int newPath, long time, long value) {
    path = newPath;
    times[length] = time;
    values[length++] = value;
  }

  void stored(long bytes) {
    dirty |= bytes;
    pending &= ~bytes;
  }

  void flushed() {
    pending |= dirty;
    dirty = 0;
  }

  void fenced() {
    pending = 0;
  }

  void persisted() {
    dirty = 0;
    pending = 0;
  }

  long time(int i) {
    return times[i];
  }

  long value(int i) {
    return values[i];
  }
}
