package dev.perdure.trace.live;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The producer's end of a ring, as the runtime has it. */
final class RingProducer {
  final int thread;
  private final ByteBuffer control;
  private final int descriptor;
  private final MappedByteBuffer slots;
  private final int slotCount;
  private long claimed;

  /** Takes the next ring of the recording. */
  RingProducer(Recording recording, int thread, int pid, int tid) throws Exception {
    this.thread = thread;
    control = recording.control();
    int index = (int) Recording.INT.getAndAdd(control, Layout.PAGE + Layout.Counters.RINGS, 1);
    descriptor = (int) control.getLong(Layout.Header.RINGS_OFFSET) + index * Layout.Ring.SIZE;
    slotCount = recording.ringSlots();
    long bytes = (long) slotCount * Layout.Slot.SIZE;
    try (FileChannel channel =
        FileChannel.open(recording.path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      slots =
          channel.map(
              FileChannel.MapMode.READ_WRITE,
              control.getLong(Layout.Header.DATA_OFFSET) + index * bytes,
              bytes);
    }
    slots.order(ByteOrder.LITTLE_ENDIAN);
    control.putInt(descriptor + Layout.Ring.PID, pid);
    control.putInt(descriptor + Layout.Ring.TID, tid);
    control.putInt(descriptor + Layout.Ring.THREAD, thread);
    Recording.INT.setRelease(control, descriptor + Layout.Ring.STATE, Layout.RING_LIVE);
  }

  /** Claims slots, waiting for room, and returns the first one's position. */
  long claim(int count) {
    long position = claimed;
    claimed += count;
    Recording.LONG.setRelease(control, descriptor + Layout.Ring.CLAIMED, claimed);
    while (position + count > consumed() + slotCount) {
      LockSupport.parkNanos(10_000);
    }
    return position;
  }

  long consumed() {
    return (long) Recording.LONG.getAcquire(control, descriptor + Layout.Ring.CONSUMED);
  }

  /** Fills a claimed slot and its payload slots, and commits it. */
  void commit(long position, Event e, long time) {
    int at = (int) (position & slotCount - 1) * Layout.Slot.SIZE;
    slots.put(at + Layout.Slot.SIZE, e.payload(), 0, e.payloadLength());
    slots.putLong(at + Layout.Slot.TIME, time);
    slots.putInt(at + Layout.Slot.SITE, e.site());
    slots.putInt(at + Layout.Slot.STACK, e.stack());
    slots.putLong(at + Layout.Slot.VALUE, e.value());
    Recording.LONG.setRelease(
        slots,
        at + Layout.Slot.WHERE,
        e.address()
            | (long) e.kind() << Layout.KIND_SHIFT
            | (position / slotCount & 1 ^ 1) << Layout.LAP_SHIFT
            | (long) e.info() << Layout.INFO_SHIFT);
  }

  /** Writes raw bytes into the payload of an event that is not committed. */
  void scribble(long position, byte[] bytes) {
    slots.put((int) (position & slotCount - 1) * Layout.Slot.SIZE, bytes);
  }

  /** Claims, reads the clock, commits. */
  void write(Event e, LongSupplier clock) {
    int count = 1 + Payload.slots(e.payloadLength());
    long position = claim(count);
    while ((position & slotCount - 1) + count > slotCount) {
      Event pad = new Event().set(EventKind.PAD, 0, 0, 0, 0, 0, 0, 0);
      for (int i = 0; i < count; i++) {
        commit(position + i, pad, 0);
      }
      position = claim(count);
    }
    commit(position, e, clock.getAsLong());
  }

  void write(Event e) {
    write(e, e::time);
  }
}
