package dev.perdure.detect;

import dev.perdure.trace.event.Event;

/** A few events without payload, side by side. */
final class EventBatch {
  static final int CAPACITY = 64;

  private final long[] times = new long[CAPACITY];
  private final long[] addresses = new long[CAPACITY];
  private final long[] values = new long[CAPACITY];
  private final long[] places = new long[CAPACITY];
  private final long[] heads = new long[CAPACITY];
  private int size;

  boolean add(Event e) {
    int i = size++;
    times[i] = e.time();
    addresses[i] = e.address();
    values[i] = e.value();
    places[i] = (long) e.site() << 32 | e.stack() & 0xffffffffL;
    heads[i] = (long) e.thread() << 32 | e.kind() << 8 | e.info();
    return size == CAPACITY;
  }

  void get(int i, Event e) {
    int head = (int) heads[i];
    e.set(
        head >>> 8,
        head & 0xff,
        (int) (heads[i] >>> 32),
        times[i],
        addresses[i],
        (int) (places[i] >>> 32),
        (int) places[i],
        values[i]);
  }

  int size() {
    return size;
  }

  int kind(int i) {
    return (int) heads[i] >>> 8;
  }

  long address(int i) {
    return addresses[i];
  }

  void clear() {
    size = 0;
  }
}
