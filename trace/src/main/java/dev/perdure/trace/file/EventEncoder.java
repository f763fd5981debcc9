package dev.perdure.trace.file;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
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

  /**
   * Adds events of a batch as long as they have known shapes, no payloads and short numbers, as
   * nearly all have; returns the place of the first that has not. Everything is in local variables
   * here, and an event changes nothing before all of it is known.
   */
  int addPlain(EventBatch batch, int from) {
    int end = batch.size();
    int most = (end - from + 1) * Long.BYTES;
    byte[] toControl = control.room(most);
    byte[] toTimes = times.room(most);
    byte[] toAddresses = addresses.room(most);
    byte[] toData = data.room(most);
    int c = control.length();
    int t = times.length();
    int a = addresses.length();
    int d = data.length();
    short[] followers = prediction.followers;
    long[] known = prediction.values;
    Prediction.ThreadState current = thread;
    long time = lastTime;
    int i = from;
    for (; i < end; i++) {
      int kind = batch.kind(i);
      int info = batch.info(i);
      int number = batch.threads[i];
      long address = batch.addresses[i];
      long value = batch.values[i];
      Prediction.ThreadState now =
          number == current.number ? current : prediction.recentThread(number);
      boolean access = Prediction.isAccess(kind);
      int addressForm = Prediction.addressForm(address);
      int valueForm =
          access && Prediction.knownValue(known, address, info) == value
              ? Prediction.knownForm(value)
              : Prediction.valueForm(value, address);
      int head = Prediction.head(kind, info, addressForm, valueForm);
      int slot = Prediction.slot(head, batch.sites[i], batch.stacks[i]);
      long later = Varint.unsigned(batch.times[i] - time);
      long further =
          addressForm == Prediction.NO_ADDRESS
              ? 0
              : Varint.unsigned(address - now.lastAddress[addressForm]);
      if (now == Prediction.NO_THREAD
          || Payload.possible(kind)
          || (later | further) >>> Varint.SHORT_BITS != 0
          || !prediction.holds(slot, head, batch.sites[i], batch.stacks[i])) {
        break;
      }
      int other = now == current ? 0 : OTHER_THREAD;
      int shape = followers[now.context] == slot ? 0 : OTHER_SHAPE;
      long names = other == 0 ? slot : number | (long) slot << 8;
      Varint.putWord(toControl, c, other | shape | names << 8);
      c += 1 + other + shape;
      t = Varint.put(toTimes, t, later);
      if (addressForm != Prediction.NO_ADDRESS) {
        a = Varint.put(toAddresses, a, further);
        now.lastAddress[addressForm] = address;
      }
      if (Prediction.isVarint(valueForm)) {
        d =
            Varint.put(
                toData,
                d,
                valueForm == Prediction.VARINT ? value : Varint.unsigned(value - address));
      } else {
        Varint.putWord(toData, d, value);
        d += Prediction.fixedLength(valueForm);
      }
      if (access) {
        Prediction.remember(known, address, info, value);
      }
      Prediction.followed(followers, now, slot);
      current = now;
      time = batch.times[i];
    }
    control.endAt(c);
    times.endAt(t);
    addresses.endAt(a);
    data.endAt(d);
    thread = current;
    lastTime = time;
    count += i - from;
    return i;
  }

  /** Adds an event; true if its shape is new, as it is for the first event of any stack. */
  boolean add(Event e) {
    int kind = e.kind();
    int info = e.info();
    long address = e.address();
    long value = e.value();
    int payload = Payload.length(kind, value);
    boolean access = Prediction.isAccess(kind);
    int addressForm = Prediction.addressForm(address);
    int valueForm =
        access && prediction.knownValue(address, info) == value
            ? Prediction.knownForm(value)
            : Prediction.valueForm(value, address);
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
    return count >= FULL_EVENTS || size() >= FULL_BYTES;
  }

  int count() {
    return count;
  }

  /** Bytes of the chunk's content. */
  int size() {
    return EVENTS_HEADER + control.length() + times.length() + addresses.length() + data.length();
  }

  /** Writes the chunk's content, so long as {@link #size} said; the next event begins another. */
  void drain(byte[] chunk) {
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
  }
}
