package dev.perdure.trace.live;

import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * A ring's shared memory, as its reader sees it: its descriptor, and its slots by position.
 *
 * <p>A slot is committed when its second word carries the lap bit of the current pass. Stale slots
 * of the pass before carry the other bit, because the producer wrote it there; in slots that held
 * raw payload, or that a dead producer left unwritten, the reader puts it before it gives them
 * back.
 */
final class RingSlots {
  private static final int SLOT_SHIFT = 5;

  private final ByteBuffer control;
  private final int descriptor;
  private final ByteBuffer slots;
  private final LongBuffer words;
  private final int count;
  private final int countBits;
  private final int mask;

  RingSlots(ByteBuffer control, int descriptor, ByteBuffer slots, int count) {
    this.control = control;
    this.descriptor = descriptor;
    this.slots = slots;
    this.words = slots.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    this.count = count;
    this.countBits = Integer.numberOfTrailingZeros(count);
    this.mask = count - 1;
  }

  int count() {
    return count;
  }

  /** Slots that the producer has taken, committed or not. */
  long claimed() {
    return (long) Recording.LONG.getAcquire(control, descriptor + Layout.Ring.CLAIMED);
  }

  long consumed() {
    return (long) Recording.LONG.getAcquire(control, descriptor + Layout.Ring.CONSUMED);
  }

  /** Gives everything up to a position back to the producer. */
  void consume(long end) {
    Recording.LONG.setRelease(control, descriptor + Layout.Ring.CONSUMED, end);
  }

  int pid() {
    return control.getInt(descriptor + Layout.Ring.PID);
  }

  int tid() {
    return control.getInt(descriptor + Layout.Ring.TID);
  }

  int thread() {
    return control.getInt(descriptor + Layout.Ring.THREAD);
  }

  long waits() {
    return control.getLong(descriptor + Layout.Ring.WAITS);
  }

  private int slot(long at) {
    return ((int) at & mask) << SLOT_SHIFT;
  }

  private int lap(long at) {
    return (int) (at >>> countBits & 1) ^ 1;
  }

  /** The second word, read before the others: what the producer wrote before it is then visible. */
  long where(long at) {
    return (long) Recording.LONG.getAcquire(slots, slot(at) + Layout.Slot.WHERE);
  }

  boolean committed(long where, long at) {
    return (int) (where >>> Layout.LAP_SHIFT & 1) == lap(at);
  }

  /** How many slots of payload a committed event has. */
  int payloadSlots(long at, int kind) {
    // A negative length: only a target that scribbles over the recording leaves such a slot.
    return Payload.slots(
        Math.max(0, Payload.length(kind, slots.getLong(slot(at) + Layout.Slot.VALUE))));
  }

  /** Copies slots, to where they belong in the copy. */
  void copy(long from, long end, RingCopy copy) {
    int copyMask = copy.mask;
    for (long at = from; at < end; ) {
      int start = (int) at & mask;
      int target = (int) at & copyMask;
      int n = (int) Math.min(end - at, Math.min(count - start, copyMask + 1 - target));
      words.get(
          start << RingCopy.SLOT_SHIFT,
          copy.words,
          target << RingCopy.SLOT_SHIFT,
          n << RingCopy.SLOT_SHIFT);
      at += n;
    }
  }

  /** Makes the slot a pad of the current pass: it does not look committed in the next. */
  void blank(long at) {
    slots.putLong(slot(at) + Layout.Slot.WHERE, (long) lap(at) << Layout.LAP_SHIFT);
  }

  /** Whether a slot in a range is committed. */
  boolean anyCommitted(long from, long end) {
    for (long at = from; at < end; at++) {
      if (committed(where(at), at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the fields of a slot that looks committed can be those of an event before the end. */
  boolean plausible(long at, long end, Plausibility plausibility) {
    long where = where(at);
    int kind = RingCopy.kind(where);
    if (kind == EventKind.PAD) {
      return where << 64 - Layout.LAP_SHIFT == 0;
    }
    int payload = Payload.length(kind, slots.getLong(slot(at) + Layout.Slot.VALUE));
    return payload >= 0
        && at + 1 + Payload.slots(payload) <= end
        && plausibility.holds(
            kind,
            slots.getLong(slot(at) + Layout.Slot.TIME),
            slots.getInt(slot(at) + Layout.Slot.SITE),
            slots.getInt(slot(at) + Layout.Slot.STACK));
  }

  /** Whether a kind, time, site and stack can be an event's. */
  interface Plausibility {
    boolean holds(int kind, long time, int site, int stack);
  }
}
