package dev.perdure.trace.file;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.ByteReader.DamagedChunk;
import dev.perdure.trace.format.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the columns that {@link EventEncoder} wrote. */
final class EventDecoder {
  private final Prediction prediction = new Prediction();
  private final ByteReader control = new ByteReader();
  private final ByteReader times = new ByteReader();
  private final ByteReader addresses = new ByteReader();
  private final ByteReader data = new ByteReader();
  private Prediction.ThreadState thread = prediction.thread(0);
  private byte[] chunk = new byte[0];
  private final Event scratch = new Event();
  private long lastTime;
  private int left;

  /** Starts a chunk; {@link Varint#SLACK} bytes behind it must be readable. */
  void begin(byte[] content, int length) throws DamagedChunk {
    chunk = content;
    if (length < EventEncoder.EVENTS_HEADER) {
      throw new DamagedChunk();
    }
    ByteBuffer header = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
    left = header.getInt();
    int at = EventEncoder.EVENTS_HEADER;
    for (ByteReader column : new ByteReader[] {control, times, addresses}) {
      int bytes = header.getInt();
      if (bytes < 0 || bytes > length - at) {
        throw new DamagedChunk();
      }
      column.reset(chunk, at, at + bytes);
      at += bytes;
    }
    data.reset(chunk, at, length);
    if (left < 0 || left > control.remaining()) {
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
      addPlain(batch);
      if (left > 0 && !batch.isFull()) {
        addOne(batch);
      }
    }
  }

  /**
   * Adds events as long as they have known shapes, no payloads and short numbers, as nearly all
   * have. Everything is in local variables here, and an event changes nothing before all of it is
   * known.
   */
  private void addPlain(EventBatch batch) throws DamagedChunk {
    byte[] bytes = chunk;
    int c = control.position();
    int t = times.position();
    int a = addresses.position();
    int d = data.position();
    int controlEnd = c + control.remaining();
    int timesEnd = t + times.remaining();
    int addressesEnd = a + addresses.remaining();
    int dataEnd = d + data.remaining();
    int[] heads = prediction.heads;
    int[] sites = prediction.sites;
    int[] stacks = prediction.stacks;
    short[] followers = prediction.followers;
    long[] known = prediction.values;
    Prediction.ThreadState current = thread;
    long time = lastTime;
    int first = batch.size();
    int n = first;
    int end = Math.min(batch.capacity(), first + left);
    int[] toHeads = batch.heads;
    int[] toThreads = batch.threads;
    int[] toSites = batch.sites;
    int[] toStacks = batch.stacks;
    long[] toTimes = batch.times;
    long[] toAddresses = batch.addresses;
    long[] toValues = batch.values;
    while (n < end) {
      long word = Varint.word(bytes, c);
      int flags = (int) word & 0xff;
      int other = flags & EventEncoder.OTHER_THREAD;
      Prediction.ThreadState now =
          other == 0 ? current : prediction.recentThread((int) (word >>> 8) & 0xff);
      int slot =
          (flags & EventEncoder.OTHER_SHAPE) == 0
              ? followers[now.context]
              : (int) (word >>> 8 + 8 * other) & 0xffff;
      if (flags >= EventEncoder.NEW_SHAPE
          || now == Prediction.NO_THREAD
          || slot >= Prediction.SHAPES) {
        break;
      }
      int head = heads[slot];
      int info = Prediction.info(head);
      long timeWord = Varint.word(bytes, t);
      int timeLength = Varint.length(timeWord);
      int addressForm = Prediction.addressForm(head);
      long addressWord = Varint.word(bytes, a);
      int addressLength = addressForm == Prediction.NO_ADDRESS ? 0 : Varint.length(addressWord);
      long dataWord = Varint.word(bytes, d);
      int valueForm = Prediction.valueForm(head);
      int valueLength =
          Prediction.isVarint(valueForm)
              ? Varint.length(dataWord)
              : Prediction.fixedLength(valueForm);
      int nextControl = c + 1 + other + (flags & EventEncoder.OTHER_SHAPE);
      boolean isLong =
          timeLength == Varint.LONGER
              | addressLength == Varint.LONGER
              | valueLength == Varint.LONGER;
      int room =
          controlEnd - nextControl
              | timesEnd - t - timeLength
              | addressesEnd - a - addressLength
              | dataEnd - d - valueLength;
      if (!Prediction.isPlain(head) || isLong || room < 0) {
        break;
      }
      time += Varint.signed(Varint.value(timeWord, timeLength));
      long address = 0;
      if (addressForm != Prediction.NO_ADDRESS) {
        address =
            now.lastAddress[addressForm] + Varint.signed(Varint.value(addressWord, addressLength));
        now.lastAddress[addressForm] = address;
      }
      long value =
          switch (valueForm) {
            case Prediction.ZERO -> 0;
            case Prediction.KNOWN -> Prediction.knownValue(known, address, info);
            case Prediction.FIXED_4 -> dataWord & 0xffffffffL;
            case Prediction.FIXED_8 -> dataWord;
            case Prediction.VARINT -> Varint.value(dataWord, valueLength);
            default -> Varint.signed(Varint.value(dataWord, valueLength)) + address;
          };
      if (Prediction.hasAccess(head)) {
        Prediction.remember(known, address, info, value);
      }
      Prediction.followed(followers, now, slot);
      current = now;
      c = nextControl;
      t += timeLength;
      a += addressLength;
      d += valueLength;
      toHeads[n] = Prediction.kind(head) << 8 | info;
      toThreads[n] = now.number;
      toTimes[n] = time;
      toAddresses[n] = address;
      toSites[n] = sites[slot];
      toStacks[n] = stacks[slot];
      toValues[n] = value;
      n++;
    }
    batch.setSize(n);
    left -= n - first;
    thread = current;
    lastTime = time;
    control.moveTo(c);
    times.moveTo(t);
    addresses.moveTo(a);
    data.moveTo(d);
  }

  /** Adds an event of any kind and form. */
  private void addOne(EventBatch batch) throws DamagedChunk {
    int slot = shape();
    int head = prediction.headAt(slot);
    int kind = Prediction.kind(head);
    int info = Prediction.info(head);
    lastTime += times.getSigned();
    long address = address(Prediction.addressForm(head));
    long value = value(Prediction.valueForm(head), address, info);
    int length = Payload.length(kind, value);
    scratch.set(
        kind,
        info,
        thread.number,
        lastTime,
        address,
        prediction.siteAt(slot),
        prediction.stackAt(slot),
        value);
    if (Prediction.isAccess(kind)) {
      prediction.remember(address, info, value);
    } else if (length != 0) {
      payload(scratch, kind, length);
    }
    batch.add(scratch);
    left--;
  }

  private long address(int form) throws DamagedChunk {
    if (form == Prediction.NO_ADDRESS) {
      return 0;
    }
    return thread.lastAddress[form] += addresses.getSigned();
  }

  private long value(int form, long address, int info) throws DamagedChunk {
    return switch (form) {
      case Prediction.ZERO -> 0;
      case Prediction.KNOWN -> prediction.knownValue(address, info);
      case Prediction.VARINT -> data.getVarint();
      case Prediction.FIXED_4 -> data.getFixed(4);
      case Prediction.FIXED_8 -> data.getFixed(8);
      default -> data.getSigned() + address;
    };
  }

  private int shape() throws DamagedChunk {
    int flags = control.get();
    if ((flags & EventEncoder.OTHER_THREAD) != 0) {
      thread = prediction.thread((int) control.getVarint());
    }
    int slot;
    if ((flags & EventEncoder.NEW_SHAPE) != 0) {
      int head = (int) control.getVarint();
      if (!Prediction.isWellFormed(head)) {
        throw new DamagedChunk();
      }
      int site = (int) control.getVarint();
      int stack = (int) control.getVarint();
      slot = Prediction.slot(head, site, stack);
      prediction.put(slot, head, site, stack);
    } else if ((flags & EventEncoder.OTHER_SHAPE) != 0) {
      slot = control.getShort();
    } else {
      slot = prediction.expectedSlot(thread);
    }
    if (slot >= Prediction.SHAPES || prediction.headAt(slot) < 0) {
      throw new DamagedChunk();
    }
    prediction.followed(thread, slot);
    return slot;
  }

  private void payload(Event e, int kind, int length) throws DamagedChunk {
    if (length < 0) {
      throw new DamagedChunk();
    }
    byte[] bytes = e.resizePayload(length);
    if (kind == EventKind.STORE_BLOCK || kind == EventKind.STORE_NT_BLOCK) {
      data.getBytes(bytes, length);
      return;
    }
    ByteBuffer longs = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < length; i += 8) {
      longs.putLong(i, data.getVarint());
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
