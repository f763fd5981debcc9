package dev.perdure.trace.file;

import dev.perdure.trace.event.Event;
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
  private long lastTime;
  private int left;

  void begin(byte[] chunk, int length) throws DamagedChunk {
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

  void next(Event e) throws DamagedChunk {
    int slot = shape();
    int head = prediction.headAt(slot);
    int kind = Prediction.kind(head);
    int info = Prediction.info(head);
    lastTime += times.getSigned();
    long address =
        switch (Prediction.addressForm(head)) {
          case Prediction.NO_ADDRESS -> 0;
          case Prediction.PM_ADDRESS -> thread.lastPmAddress += addresses.getSigned();
          case Prediction.OTHER_ADDRESS -> thread.lastOtherAddress += addresses.getSigned();
          default -> throw new DamagedChunk();
        };
    long value =
        switch (Prediction.valueForm(head)) {
          case Prediction.ZERO -> 0;
          case Prediction.KNOWN -> prediction.knownValue(address, info);
          case Prediction.VARINT -> data.getVarint();
          case Prediction.FIXED_4 -> data.getFixed(4);
          case Prediction.FIXED_8 -> data.getFixed(8);
          case Prediction.RELATIVE -> data.getSigned() + address;
          default -> throw new DamagedChunk();
        };
    e.set(
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
    } else {
      int payload = Payload.length(kind, value);
      if (payload < 0) {
        throw new DamagedChunk();
      }
      if (payload > 0) {
        payload(e, kind, payload);
      }
    }
    left--;
  }

  private int shape() throws DamagedChunk {
    int flags = control.get();
    if ((flags & EventEncoder.OTHER_THREAD) != 0) {
      thread = prediction.thread((int) control.getVarint());
    }
    int slot;
    if ((flags & EventEncoder.NEW_SHAPE) != 0) {
      int head = (int) control.getVarint();
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
