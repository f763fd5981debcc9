package dev.perdure.trace.file;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.ByteReader.DamagedChunk;
import dev.perdure.trace.format.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the events that {@link EventEncoder} wrote. */
final class EventDecoder {
  private final Prediction prediction = new Prediction();
  private final ByteReader in = new ByteReader();
  private final Event scratch = new Event();
  private byte[] chunk = new byte[0];
  private int currentRow;
  private long lastTime;
  private int left;

  /** Starts a chunk that lies in an array. */
  void begin(byte[] bytes, int from, int length) throws DamagedChunk {
    chunk = bytes;
    in.reset(bytes, from, from + length);
    left = (int) in.getFixed(EventEncoder.EVENTS_HEADER);
    if (left < 0 || left > in.remaining()) {
      throw new DamagedChunk();
    }
  }

  /** Gives up the rest of the chunk. */
  void abandon() {
    left = 0;
  }

  boolean hasNext() {
    return left > 0;
  }

  /** Adds events to a batch until it is full or the chunk is at its end. */
  void next(EventBatch batch) throws DamagedChunk {
    while (left > 0 && !batch.isFull()) {
      int before = batch.size();
      addRow(batch);
      if (batch.size() == before) {
        addOne(batch);
      }
    }
  }

  /**
   * Adds a row of events, as long as they have known shapes and no payloads, as nearly all have,
   * and lie well before the chunk's end. Everything is in local variables here, and an event
   * changes nothing before it is certain.
   */
  private void addRow(EventBatch batch) throws DamagedChunk {
    byte[] bytes = chunk;
    int at = in.position();
    int lastStart = at + in.remaining() - EventEncoder.LONGEST - Words.SLACK;
    int[] heads = prediction.heads;
    int[] sites = prediction.sites;
    int[] stacks = prediction.stacks;
    short[] followers = prediction.followers;
    long[] known = prediction.values;
    int[] contexts = prediction.contexts;
    long[] lastAddresses = prediction.addresses;
    int row = currentRow;
    int thread = prediction.threads[row];
    long time = lastTime;
    int first = batch.size();
    int n = first;
    int end = Math.min(batch.capacity(), first + Math.min(left, EventBatch.ROW));
    while (n < end && at <= lastStart) {
      int control = bytes[at];
      int other = control & EventEncoder.OTHER_THREAD;
      int otherRow = other == 0 ? row : bytes[at + 1] & 0xff;
      int context = contexts[otherRow];
      int next = at + 1 + other;
      int slot = followers[context];
      if ((control & EventEncoder.OTHER_SHAPE) != 0) {
        slot = bytes[next] & 0xff | (bytes[next + 1] & 0xff) << 8;
        next += 2;
      }
      if (slot >= Prediction.SHAPES) {
        break;
      }
      int head = heads[slot];
      if (!Prediction.isPlain(head)) {
        break;
      }
      if (other != 0) {
        row = otherRow;
        thread = prediction.threads[row];
      }
      int timeLength = NumberLengths.timeLength(control);
      time += Words.signed(NumberLengths.number(Words.get(bytes, next), timeLength));
      next += timeLength;
      int addressLength = NumberLengths.addressLength(control);
      int lastAddress = Prediction.addressIndex(row, Prediction.addressForm(head));
      long address =
          lastAddresses[lastAddress]
              + Words.signed(NumberLengths.number(Words.get(bytes, next), addressLength));
      next += addressLength;
      int valueLength = NumberLengths.valueLength(control);
      int info = Prediction.info(head);
      int v = Prediction.valueIndex(address);
      long tag = Prediction.tag(address, info);
      boolean access = Prediction.hasAccess(head);
      long value;
      if (valueLength == 0) {
        value = access && known[v] == tag ? known[v + 1] : 0;
      } else {
        value = NumberLengths.longNumber(Words.get(bytes, next), valueLength);
        if (Prediction.isRelative(head)) {
          value = Words.signed(value) + address;
        }
      }
      at = next + valueLength;
      lastAddresses[lastAddress] = address;
      followers[context] = (short) slot;
      contexts[row] = Prediction.context(context, slot);
      if (access) {
        known[v] = tag;
        known[v + 1] = value;
      }
      batch.heads[n] = Prediction.kind(head) << 8 | info;
      batch.threads[n] = thread;
      batch.times[n] = time;
      batch.addresses[n] = address;
      batch.sites[n] = sites[slot];
      batch.stacks[n] = stacks[slot];
      batch.values[n] = value;
      n++;
    }
    batch.setSize(n);
    left -= n - first;
    currentRow = row;
    lastTime = time;
    in.moveTo(at);
  }

  /** Adds an event of any kind and form. */
  private void addOne(EventBatch batch) throws DamagedChunk {
    int control = in.get();
    boolean otherThread = (control & EventEncoder.OTHER_THREAD) != 0;
    int row = otherThread ? in.get() : currentRow;
    int slot =
        (control & EventEncoder.OTHER_SHAPE) != 0
            ? in.getShort()
            : prediction.followers[prediction.contexts[row]];
    long later;
    long further;
    if (slot == EventEncoder.IN_FULL) {
      row = prediction.rowFor((int) in.getVarint());
      slot = newShape();
      later = in.getVarint();
      further = in.getVarint();
    } else {
      later = in.getFixed(NumberLengths.timeLength(control));
      further = in.getFixed(NumberLengths.addressLength(control));
    }
    if (slot >= Prediction.SHAPES || prediction.heads[slot] < 0) {
      throw new DamagedChunk();
    }
    currentRow = row;
    lastTime += Words.signed(later);
    int head = prediction.heads[slot];
    int lastAddress = Prediction.addressIndex(row, Prediction.addressForm(head));
    long address = prediction.addresses[lastAddress] + Words.signed(further);
    prediction.addresses[lastAddress] = address;
    prediction.followed(row, slot);
    addOne(batch, slot, address, value(control, head, address));
  }

  private int newShape() throws DamagedChunk {
    int head = (int) in.getVarint();
    if (!Prediction.isWellFormed(head)) {
      throw new DamagedChunk();
    }
    int site = (int) in.getVarint();
    int stack = (int) in.getVarint();
    int slot = Prediction.slot(head, site, stack);
    prediction.put(slot, head, site, stack);
    return slot;
  }

  private long value(int control, int head, long address) throws DamagedChunk {
    int length = NumberLengths.valueLength(control);
    if (length == 0) {
      return Prediction.hasAccess(head) ? prediction.knownValue(address, Prediction.info(head)) : 0;
    }
    long number = in.getFixed(length);
    return Prediction.isRelative(head) ? Words.signed(number) + address : number;
  }

  private void addOne(EventBatch batch, int slot, long address, long value) throws DamagedChunk {
    int head = prediction.heads[slot];
    int kind = Prediction.kind(head);
    int info = Prediction.info(head);
    scratch.set(
        kind,
        info,
        prediction.threads[currentRow],
        lastTime,
        address,
        prediction.sites[slot],
        prediction.stacks[slot],
        value);
    if (Prediction.hasAccess(head)) {
      prediction.remember(address, info, value);
    }
    int length = Payload.length(kind, value);
    if (length != 0) {
      payload(scratch, kind, length);
    }
    batch.add(scratch);
    left--;
  }

  private void payload(Event e, int kind, int length) throws DamagedChunk {
    if (length < 0) {
      throw new DamagedChunk();
    }
    byte[] bytes = e.resizePayload(length);
    if (kind == EventKind.STORE_BLOCK || kind == EventKind.STORE_NT_BLOCK) {
      in.getBytes(bytes, length);
      return;
    }
    ByteBuffer longs = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < length; i += 8) {
      longs.putLong(i, in.getVarint());
    }
    if (kind == EventKind.RMW) {
      long known = prediction.knownValue(e.address(), e.info());
      longs.putLong(0, longs.getLong(0) ^ known);
      longs.putLong(16, longs.getLong(16) ^ longs.getLong(0));
      longs.putLong(24, longs.getLong(24) ^ longs.getLong(8));
      prediction.remember(e.address(), e.info(), longs.getLong(16));
    }
  }
}
