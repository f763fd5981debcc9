package dev.perdure.trace.event;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The flyweight that sources fill and handlers read: one instance serves a whole trace. Fields mean
 * what perdure_trace.h says of the event's kind.
 */
public final class Event {
  private int kind;
  private int info;
  private int thread;
  private int site;
  private int stack;
  private long time;
  private long address;
  private long value;
  private byte[] payload = new byte[64];
  private ByteBuffer payloadView = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
  private int payloadLength;

  /** Sets everything but the payload, which becomes empty. */
  public Event set(
      int kind, int info, int thread, long time, long address, int site, int stack, long value) {
    this.kind = kind;
    this.info = info;
    this.thread = thread;
    this.time = time;
    this.address = address;
    this.site = site;
    this.stack = stack;
    this.value = value;
    this.payloadLength = 0;
    return this;
  }

  /** Makes room for a payload and returns the array to write it to. */
  public byte[] resizePayload(int length) {
    if (payload.length < length) {
      payload = new byte[Math.max(length, 2 * payload.length)];
      payloadView = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    }
    payloadLength = length;
    return payload;
  }

  public int kind() {
    return kind;
  }

  public int info() {
    return info;
  }

  /** The number of the thread, from 1. */
  public int thread() {
    return thread;
  }

  /** Ticks of the recording's clock. */
  public long time() {
    return time;
  }

  public long address() {
    return address;
  }

  public int site() {
    return site;
  }

  /** The number of the call stack above the site, 0 for none. */
  public int stack() {
    return stack;
  }

  public long value() {
    return value;
  }

  /** Size in bytes of a load, store or read-modify-write. */
  public int size() {
    return info & 31;
  }

  /** Memory order of a load, store or read-modify-write: a constant of {@link MemoryOrder}. */
  public int order() {
    return info >>> 5;
  }

  public byte[] payload() {
    return payload;
  }

  public int payloadLength() {
    return payloadLength;
  }

  /** Eight bytes of the payload, little endian. */
  public long payloadLong(int offset) {
    return payloadView.getLong(offset);
  }

  /** A read-modify-write's value before it (low eight bytes). */
  public long oldValue() {
    return payloadView.getLong(0);
  }

  /** A read-modify-write's value after it (low eight bytes). */
  public long newValue() {
    return payloadView.getLong(16);
  }

  /** Takes over all of another event. */
  public void copyFrom(Event other) {
    set(
        other.kind,
        other.info,
        other.thread,
        other.time,
        other.address,
        other.site,
        other.stack,
        other.value);
    System.arraycopy(other.payload, 0, resizePayload(other.payloadLength), 0, other.payloadLength);
  }
}
