package dev.perdure.trace.file;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes events into the columns of a chunk, as short as {@link Prediction} allows. */
final class EventEncoder {
  /** Bits of an event's first control byte. */
  static final int OTHER_THREAD = 1;

  static final int OTHER_SHAPE = 2;
  static final int NEW_SHAPE = 4;

  /** Number of events, lengths of the first three columns. */
  static final int EVENTS_HEADER = 16;

  private static final int FULL_BYTES = 1 << 20;
  private static final int FULL_EVENTS = 1 << 18;

  private final Prediction prediction = new Prediction();
  private final ByteColumn control = new ByteColumn();
  private final ByteColumn times = new ByteColumn();
  private final ByteColumn addresses = new ByteColumn();
  private final ByteColumn data = new ByteColumn();
  private Prediction.ThreadState thread = prediction.thread(0);
  private long lastTime;
  private int count;

  /** Adds an event; true if its shape is new, as it is for the first event of any stack. */
  boolean add(Event e) {
    int kind = e.kind();
    int info = e.info();
    long address = e.address();
    long value = e.value();
    int payload = Payload.length(kind, value);
    boolean access = Prediction.isAccess(kind);
    int addressForm =
        address == 0
            ? Prediction.NO_ADDRESS
            : Prediction.inWindow(address) ? Prediction.PM_ADDRESS : Prediction.OTHER_ADDRESS;
    int valueForm =
        value == 0
            ? Prediction.ZERO
            : access && prediction.knownValue(address, info) == value
                ? Prediction.KNOWN
                : valueForm(value, address);
    boolean isNew =
        putControl(e, Prediction.head(kind, info, addressForm, valueForm), e.site(), e.stack());
    times.putSigned(e.time() - lastTime);
    lastTime = e.time();
    if (addressForm != Prediction.NO_ADDRESS) {
      addresses.putSigned(address - thread.lastAddress[addressForm]);
      thread.lastAddress[addressForm] = address;
    }
    putValue(valueForm, value, address);
    if (access) {
      prediction.remember(address, info, value);
    } else if (payload > 0) {
      putPayload(e, kind, payload);
    }
    count++;
    return isNew;
  }

  private boolean putControl(Event e, int head, int site, int stack) {
    int flags = 0;
    if (e.thread() != thread.number) {
      thread = prediction.thread(e.thread());
      flags = OTHER_THREAD;
    }
    int slot = Prediction.slot(head, site, stack);
    boolean isNew = !prediction.holds(slot, head, site, stack);
    if (isNew) {
      flags |= NEW_SHAPE;
      prediction.put(slot, head, site, stack);
    } else if (prediction.expectedSlot(thread) != slot) {
      flags |= OTHER_SHAPE;
    }
    control.put(flags);
    if ((flags & OTHER_THREAD) != 0) {
      control.putVarint(thread.number & 0xffffffffL);
    }
    if (isNew) {
      control.putVarint(head);
      control.putVarint(site & 0xffffffffL);
      control.putVarint(stack & 0xffffffffL);
    } else if ((flags & OTHER_SHAPE) != 0) {
      control.putShort(slot);
    }
    prediction.followed(thread, slot);
    return isNew;
  }

  private static int valueForm(long value, long address) {
    if (value >>> 28 == 0) {
      return Prediction.VARINT;
    }
    if (value >>> 32 == 0) {
      return Prediction.FIXED_4;
    }
    return value >>> 36 == address >>> 36 ? Prediction.RELATIVE : Prediction.FIXED_8;
  }

  private void putValue(int form, long value, long address) {
    switch (form) {
      case Prediction.VARINT -> data.putVarint(value);
      case Prediction.FIXED_4 -> data.putFixed(value, 4);
      case Prediction.FIXED_8 -> data.putFixed(value, 8);
      case Prediction.RELATIVE -> data.putSigned(value - address);
      default -> {}
    }
  }

  private void putPayload(Event e, int kind, int length) {
    switch (kind) {
      case EventKind.RMW -> {
        long known = prediction.knownValue(e.address(), e.info());
        data.putVarint(e.payloadLong(0) ^ known);
        data.putVarint(e.payloadLong(8));
        data.putVarint(e.payloadLong(16) ^ e.payloadLong(0));
        data.putVarint(e.payloadLong(24) ^ e.payloadLong(8));
        prediction.remember(e.address(), e.info(), e.payloadLong(16));
      }
      case EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK -> data.putBytes(e.payload(), length);
      default -> {
        for (int i = 0; i < length; i += 8) {
          data.putVarint(e.payloadLong(i));
        }
      }
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Looked at only now and then: a chunk may become somewhat larger. */
  boolean isFull() {
    return (count & 63) == 0 && (count >= FULL_EVENTS || size() >= FULL_BYTES);
  }

  int count() {
    return count;
  }

  private int size() {
    return control.length() + times.length() + addresses.length() + data.length();
  }

  /** The chunk's content; the next event begins another chunk. */
  byte[] drain() {
    byte[] chunk = new byte[EVENTS_HEADER + size()];
    ByteBuffer.wrap(chunk)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(count)
        .putInt(control.length())
        .putInt(times.length())
        .putInt(addresses.length());
    int at = EVENTS_HEADER;
    for (ByteColumn column : new ByteColumn[] {control, times, addresses, data}) {
      column.copyTo(chunk, at);
      at += column.length();
      column.clear();
    }
    count = 0;
    return chunk;
  }
}
