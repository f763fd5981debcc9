package dev.perdure.trace.event;

import dev.perdure.trace.format.Payload;
import java.util.Arrays;

/**
 * Events that follow one another, field by field in arrays: what {@link Event} is for one. The
 * arrays are open to sources and consumers whose loops keep them at hand; {@link #size} says how
 * far they are filled.
 */
public final class EventBatch {
  /**
   * Events that a hot loop handles in one call. A loop that runs for longer is compiled twice: in
   * its midst, and once more with the method around it.
   */
  public static final int ROW = 32;

  /** Kind and info: {@code kind << 8 | info}. */
  public final int[] heads;

  public final int[] threads;
  public final int[] sites;
  public final int[] stacks;
  public final long[] times;
  public final long[] addresses;
  public final long[] values;
  private final int[] payloadStarts;
  private byte[] payloads = new byte[64];
  private int payloadEnd;
  private int size;

  public EventBatch(int capacity) {
    heads = new int[capacity];
    threads = new int[capacity];
    sites = new int[capacity];
    stacks = new int[capacity];
    times = new long[capacity];
    addresses = new long[capacity];
    values = new long[capacity];
    payloadStarts = new int[capacity];
  }

  public void clear() {
    size = 0;
    payloadEnd = 0;
  }

  /** Adds an event of a kind that has no payload. */
  public void add(
      int kind, int info, int thread, long time, long address, int site, int stack, long value) {
    int i = size++;
    heads[i] = kind << 8 | info;
    threads[i] = thread;
    times[i] = time;
    addresses[i] = address;
    sites[i] = site;
    stacks[i] = stack;
    values[i] = value;
  }

  public void add(Event e) {
    int length = e.payloadLength();
    if (length != Payload.length(e.kind(), e.value())) {
      throw new IllegalArgumentException(
          EventKind.name(e.kind()) + " with a payload of " + length + " bytes");
    }
    if (length > 0) {
      addPayload(e.payload(), length);
    }
    add(e.kind(), e.info(), e.thread(), e.time(), e.address(), e.site(), e.stack(), e.value());
  }

  /** Adds some of another batch's events. */
  public void add(EventBatch other, int from, int count) {
    System.arraycopy(other.heads, from, heads, size, count);
    System.arraycopy(other.threads, from, threads, size, count);
    System.arraycopy(other.sites, from, sites, size, count);
    System.arraycopy(other.stacks, from, stacks, size, count);
    System.arraycopy(other.times, from, times, size, count);
    System.arraycopy(other.addresses, from, addresses, size, count);
    System.arraycopy(other.values, from, values, size, count);
    if (other.payloadEnd > 0) {
      addPayloads(other, from, count);
    }
    size += count;
  }

  private void addPayloads(EventBatch other, int from, int count) {
    for (int i = from; i < from + count; i++) {
      int length = Payload.length(other.kind(i), other.values[i]);
      if (length > 0) {
        payloadStarts[size + i - from] = payloadEnd;
        append(other.payloads, other.payloadStarts[i], length);
      }
    }
  }

  /** Adds the payload of the event that is added next. */
  public void addPayload(byte[] bytes, int length) {
    payloadStarts[size] = payloadEnd;
    append(bytes, 0, length);
  }

  private void append(byte[] bytes, int from, int length) {
    if (payloads.length - payloadEnd < length) {
      payloads = Arrays.copyOf(payloads, 2 * payloads.length + length);
    }
    System.arraycopy(bytes, from, payloads, payloadEnd, length);
    payloadEnd += length;
  }

  /** Fills in one event as a whole. */
  public void get(int i, Event e) {
    int kind = kind(i);
    e.set(kind, info(i), threads[i], times[i], addresses[i], sites[i], stacks[i], values[i]);
    int length = Payload.length(kind, values[i]);
    if (length > 0) {
      System.arraycopy(payloads, payloadStarts[i], e.resizePayload(length), 0, length);
    }
  }

  /** Says that the arrays are filled up to here; payloads were added before. */
  public void setSize(int newSize) {
    size = newSize;
  }

  public int capacity() {
    return heads.length;
  }

  public int size() {
    return size;
  }

  public boolean isFull() {
    return size == heads.length;
  }

  public int kind(int i) {
    return heads[i] >>> 8;
  }

  public int info(int i) {
    return heads[i] & 0xff;
  }

  public int thread(int i) {
    return threads[i];
  }

  public long time(int i) {
    return times[i];
  }

  public long address(int i) {
    return addresses[i];
  }

  public int site(int i) {
    return sites[i];
  }

  public int stack(int i) {
    return stacks[i];
  }

  public long value(int i) {
    return values[i];
  }
}
