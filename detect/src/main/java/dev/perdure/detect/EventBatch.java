package dev.perdure.detect;

import dev.perdure.detect.sync.ThreadState;

/** A few frequent events, side by side, with their threads and origins looked up. */
final class EventBatch {
  static final int CAPACITY = 256;

  private final ThreadState[] threads = new ThreadState[CAPACITY];
  private final int[] origins = new int[CAPACITY];
  private final int[] heads = new int[CAPACITY];
  private final long[] times = new long[CAPACITY];
  private final long[] addresses = new long[CAPACITY];
  private final long[] values = new long[CAPACITY];
  private int size;

  /** Returns whether the batch is full. */
  boolean add(
      ThreadState thread, int origin, int kind, int info, long time, long address, long value) {
    int i = size++;
    threads[i] = thread;
    origins[i] = origin;
    heads[i] = kind << 8 | info;
    times[i] = time;
    addresses[i] = address;
    values[i] = value;
    return size == CAPACITY;
  }

  int size() {
    return size;
  }

  ThreadState thread(int i) {
    return threads[i];
  }

  int origin(int i) {
    return origins[i];
  }

  int kind(int i) {
    return heads[i] >>> 8;
  }

  int info(int i) {
    return heads[i] & 0xff;
  }

  long time(int i) {
    return times[i];
  }

  long address(int i) {
    return addresses[i];
  }

  long value(int i) {
    return values[i];
  }

  void clear() {
    size = 0;
  }
}
