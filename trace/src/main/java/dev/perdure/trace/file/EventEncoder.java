package dev.perdure.trace.file;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Payload;

/** Writes events into a chunk, as short as {@link Prediction} allows. */
final class EventEncoder {
  /** Bits of an event's first byte; above them are its {@link NumberLengths}. */
  static final int OTHER_THREAD = 1;

  static final int OTHER_SHAPE = 2;

  /** In place of a shape's slot: the event is written in full. */
  static final int IN_FULL = 0xffff;

  /** The number of events. */
  static final int EVENTS_HEADER = 4;

  /** An event that is not written in full has at most so many bytes, without its payload. */
  static final int LONGEST = 4 + 4 + 6 + 8;

  private static final int FULL_BYTES = 1 << 18;

  private final Prediction prediction = new Prediction();
  private final ByteColumn content = new ByteColumn();
  private int currentRow;
  private long lastTime;
  private int count;

  EventEncoder() {
    clear();
  }

  /**
   * Adds events of a batch as long as they have known shapes, no payloads and short numbers, as
   * nearly all have; returns the place of the first that has not.
   */
  int addPlain(EventBatch batch, int from) {
    int at = from;
    int end = from;
    while (at == end && at < batch.size()) {
      end = Math.min(at + EventBatch.ROW, batch.size());
      at = addRow(batch, at, end);
    }
    return at;
  }

  /** Everything is in local variables here; an event changes nothing before all of it is known. */
  private int addRow(EventBatch batch, int from, int end) {
    byte[] to = content.room((end - from) * LONGEST + Words.SLACK);
    int at = content.length();
    int[] heads = prediction.heads;
    int[] sites = prediction.sites;
    int[] stacks = prediction.stacks;
    short[] followers = prediction.followers;
    long[] known = prediction.values;
    int[] threads = prediction.threads;
    int[] contexts = prediction.contexts;
    long[] lastAddresses = prediction.addresses;
    int current = currentRow;
    long time = lastTime;
    int i = from;
    for (; i < end; i++) {
      int kind = batch.heads[i] >>> 8;
      int info = batch.heads[i] & 0xff;
      int site = batch.sites[i];
      int stack = batch.stacks[i];
      long address = batch.addresses[i];
      long value = batch.values[i];
      int row = Prediction.row(batch.threads[i]);
      boolean access = Prediction.isAccess(kind);
      int v = Prediction.valueIndex(address);
      long tag = Prediction.tag(address, info);
      long expected = access && known[v] == tag ? known[v + 1] : 0;
      int relative = value == expected ? 0 : Prediction.relative(value, address);
      int addressForm = Prediction.addressForm(address);
      int lastAddress = Prediction.addressIndex(row, addressForm);
      int head = Prediction.head(kind, info, addressForm, relative);
      int slot = Prediction.slot(head, site, stack);
      long later = Words.unsigned(batch.times[i] - time);
      long further = Words.unsigned(address - lastAddresses[lastAddress]);
      long number = relative == 0 ? value : Words.unsigned(value - address);
      int timeCode = NumberLengths.timeCode(later);
      int addressCode = NumberLengths.addressCode(further);
      int valueCode = value == expected ? 0 : NumberLengths.valueCode(number);
      int held = heads[slot];
      if ((timeCode | addressCode) >= NumberLengths.TOO_LONG
          || (held & Prediction.HEAD_MASK) != head
          || !Prediction.isPlain(held)
          || sites[slot] != site
          || stacks[slot] != stack
          || threads[row] != batch.threads[i]) {
        break;
      }
      int context = contexts[row];
      int control =
          timeCode << NumberLengths.TIME_SHIFT
              | addressCode << NumberLengths.ADDRESS_SHIFT
              | valueCode << NumberLengths.VALUE_SHIFT;
      int names = slot;
      int other = 0;
      if (row != current) {
        other = OTHER_THREAD;
        names = slot << 8 | row;
        current = row;
      }
      int shape = (followers[context] ^ slot) == 0 ? 0 : OTHER_SHAPE;
      Words.put(to, at, control | other | shape | names << 8);
      at += 1 + other + shape;
      Words.put(to, at, later);
      at += NumberLengths.timeLength(control);
      Words.put(to, at, further);
      at += NumberLengths.addressLength(control);
      Words.put(to, at, number);
      at += NumberLengths.valueLength(control);
      lastAddresses[lastAddress] = address;
      followers[context] = (short) slot;
      contexts[row] = Prediction.context(context, slot);
      if (access) {
        known[v] = tag;
        known[v + 1] = value;
      }
      time = batch.times[i];
    }
    content.endAt(at);
    currentRow = current;
    lastTime = time;
    count += i - from;
    return i;
  }

  /** Adds an event; true if its shape may be new, as it is for the first event of any stack. */
  boolean add(Event e) {
    int kind = e.kind();
    int info = e.info();
    long address = e.address();
    long value = e.value();
    int thread = e.thread();
    boolean access = Prediction.isAccess(kind);
    long expected = access ? prediction.knownValue(address, info) : 0;
    int relative = value == expected ? 0 : Prediction.relative(value, address);
    int addressForm = Prediction.addressForm(address);
    int head = Prediction.head(kind, info, addressForm, relative);
    int slot = Prediction.slot(head, e.site(), e.stack());
    boolean foreignRow = prediction.threads[Prediction.row(thread)] != thread;
    int row = prediction.rowFor(thread);
    int lastAddress = Prediction.addressIndex(row, addressForm);
    long later = Words.unsigned(e.time() - lastTime);
    long further = Words.unsigned(address - prediction.addresses[lastAddress]);
    long number = relative == 0 ? value : Words.unsigned(value - address);
    int timeCode = NumberLengths.timeCode(later);
    int addressCode = NumberLengths.addressCode(further);
    int valueCode = value == expected ? 0 : NumberLengths.valueCode(number);
    boolean inFull =
        foreignRow
            || (timeCode | addressCode) >= NumberLengths.TOO_LONG
            || !prediction.holds(slot, head, e.site(), e.stack());
    int control = valueCode << NumberLengths.VALUE_SHIFT;
    if (inFull) {
      putInFull(e, head, control);
      content.putVarint(later);
      content.putVarint(further);
      prediction.put(slot, head, e.site(), e.stack());
    } else {
      control |= timeCode << NumberLengths.TIME_SHIFT | addressCode << NumberLengths.ADDRESS_SHIFT;
      putControl(control, row, slot);
      content.putFixed(later, NumberLengths.timeLength(control));
      content.putFixed(further, NumberLengths.addressLength(control));
    }
    content.putFixed(number, NumberLengths.valueLength(control));
    prediction.addresses[lastAddress] = address;
    prediction.followed(row, slot);
    if (access) {
      prediction.remember(address, info, value);
    }
    putPayload(e, kind, Payload.length(kind, value));
    currentRow = row;
    lastTime = e.time();
    count++;
    return inFull;
  }

  private void putControl(int lengths, int row, int slot) {
    int other = row == currentRow ? 0 : OTHER_THREAD;
    int shape = prediction.followers[prediction.contexts[row]] == slot ? 0 : OTHER_SHAPE;
    content.put(lengths | other | shape);
    if (other != 0) {
      content.put(row);
    }
    if (shape != 0) {
      content.putShort(slot);
    }
  }

  private void putInFull(Event e, int head, int lengths) {
    content.put(lengths | OTHER_SHAPE);
    content.putShort(IN_FULL);
    content.putVarint(e.thread() & 0xffffffffL);
    content.putVarint(head);
    content.putVarint(e.site() & 0xffffffffL);
    content.putVarint(e.stack() & 0xffffffffL);
  }

  private void putPayload(Event e, int kind, int length) {
    if (kind == EventKind.RMW) {
      long known = prediction.knownValue(e.address(), e.info());
      content.putVarint(e.payloadLong(0) ^ known);
      content.putVarint(e.payloadLong(8));
      content.putVarint(e.payloadLong(16) ^ e.payloadLong(0));
      content.putVarint(e.payloadLong(24) ^ e.payloadLong(8));
      prediction.remember(e.address(), e.info(), e.payloadLong(16));
    } else if (kind == EventKind.STORE_BLOCK || kind == EventKind.STORE_NT_BLOCK) {
      content.putBytes(e.payload(), length);
    } else {
      for (int i = 0; i < length; i += 8) {
        content.putVarint(e.payloadLong(i));
      }
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Looked at only now and then: a chunk may become somewhat larger. */
  boolean isFull() {
    return content.length() >= FULL_BYTES;
  }

  int count() {
    return count;
  }

  /** The chunk's content: it is valid until the next event is added. */
  ByteColumn content() {
    content.putAt(0, count);
    return content;
  }

  /** The next event begins another chunk. */
  void clear() {
    count = 0;
    content.clear();
    content.putFixed(0, EVENTS_HEADER);
  }
}
