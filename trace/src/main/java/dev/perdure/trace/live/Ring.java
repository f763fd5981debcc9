package dev.perdure.trace.live;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.nio.ByteBuffer;

/**
 * The reader's end of one ring: a cursor over committed slots.
 *
 * <p>A slot is committed when its second word carries the lap bit of the current pass. Stale slots
 * of the pass before carry the other bit, because the producer wrote it there; in slots that held
 * raw payload, or that a dead producer left unwritten, the reader puts it before it gives them
 * back. One thread reads a ring.
 */
public final class Ring {
  private static final int SLOT_SHIFT = 5;

  private final ByteBuffer control;
  private final int descriptor;
  private final ByteBuffer slots;
  private final int slotCount;
  private final int mask;

  private long position;
  private long published;
  private long walked;
  private long headWhere;
  private long headTime;
  private int thread;

  /** What a dead producer had taken ends here. */
  private long abandonedEnd;

  private Plausibility plausibility;
  private long skipped;

  /** Any event that this ring may still bring has at least this time. */
  long safeTime;

  /** When the reader first saw an uncommitted slot at the current position; 0 for never. */
  long stuckSince;

  /** When to ask next whether the thread that left it uncommitted still runs. */
  long nextCheck;

  Ring(ByteBuffer control, int descriptor, ByteBuffer slots, int slotCount) {
    this.control = control;
    this.descriptor = descriptor;
    this.slots = slots;
    this.slotCount = slotCount;
    this.mask = slotCount - 1;
    this.position = (long) Recording.LONG.getAcquire(control, descriptor + Layout.Ring.CONSUMED);
    this.published = position;
  }

  private int lap(long at) {
    return (int) (at / slotCount & 1) ^ 1;
  }

  private long where(long at) {
    return (long)
        Recording.LONG.getAcquire(slots, ((int) at & mask) << SLOT_SHIFT | Layout.Slot.WHERE);
  }

  private boolean committed(long where, long at) {
    return (int) (where >>> Layout.LAP_SHIFT & 1) == lap(at);
  }

  private static int kind(long where) {
    return (int) (where >>> Layout.KIND_SHIFT) & Layout.KIND_MASK;
  }

  /** Moves to the next committed event, if there is one: then {@link #headTime} is known. */
  boolean peek() {
    while (true) {
      if (position < abandonedEnd && !plausibleHead()) {
        blank(position++);
        skipped++;
        continue;
      }
      long where = where(position);
      if (!committed(where, position)) {
        return false;
      }
      int kind = kind(where);
      int at = ((int) position & mask) << SLOT_SHIFT;
      int payload = Payload.length(kind, slots.getLong(at + Layout.Slot.VALUE));
      // A negative length: only a target that scribbles over the recording leaves such a slot.
      if (kind == EventKind.PAD || payload < 0) {
        position++;
        continue;
      }
      headWhere = where;
      headTime = slots.getLong(at + Layout.Slot.TIME);
      stuckSince = 0;
      return true;
    }
  }

  long headTime() {
    return headTime;
  }

  /** Fills in the event that {@link #peek} has found, and moves behind it. */
  void take(Event event) {
    int at = ((int) position & mask) << SLOT_SHIFT;
    int kind = kind(headWhere);
    long value = slots.getLong(at + Layout.Slot.VALUE);
    if (kind == EventKind.THREAD_BEGIN) {
      thread = (int) value;
    } else if (thread == 0) {
      // Known by now: the producer fills in the descriptor before it writes events.
      thread = control.getInt(descriptor + Layout.Ring.THREAD);
    }
    event.set(
        kind,
        (int) (headWhere >>> Layout.INFO_SHIFT),
        thread,
        headTime,
        headWhere & (1L << Layout.ADDR_BITS) - 1,
        slots.getInt(at + Layout.Slot.SITE),
        slots.getInt(at + Layout.Slot.STACK),
        value);
    safeTime = Math.max(safeTime, headTime);
    int length = Payload.length(kind, value);
    if (length == 0) {
      position++;
    } else {
      takePayload(event, length);
    }
    if (position - published >= slotCount >> 3) {
      publish();
    }
  }

  private void takePayload(Event event, int length) {
    int count = Payload.slots(length);
    byte[] bytes = event.resizePayload(length);
    // Producers keep an event together; only a damaged ring makes a payload wrap.
    int first = Math.min(length, (slotCount - ((int) (position + 1) & mask)) << SLOT_SHIFT);
    slots.get(((int) (position + 1) & mask) << SLOT_SHIFT, bytes, 0, first);
    slots.get(0, bytes, first, length - first);
    long p = ++position;
    for (int i = 0; i < count; i++, p++) {
      blank(p);
    }
    position = p;
  }

  /**
   * Makes the slot look like a pad of the current pass, so that it does not look committed in the
   * next.
   */
  private void blank(long at) {
    slots.putLong(
        ((int) at & mask) << SLOT_SHIFT | Layout.Slot.WHERE, (long) lap(at) << Layout.LAP_SHIFT);
  }

  /** Gives everything read so far back to the producer. */
  void publish() {
    if (position != published) {
      Recording.LONG.setRelease(control, descriptor + Layout.Ring.CONSUMED, position);
      published = position;
    }
  }

  /** Slots that the producer has taken, committed or not. */
  long claimed() {
    return (long) Recording.LONG.getAcquire(control, descriptor + Layout.Ring.CLAIMED);
  }

  /** Whether the producer has taken nothing beyond what was read. */
  boolean idle() {
    return claimed() <= position;
  }

  /** Whether a slot behind the current, uncommitted one is committed. */
  boolean committedBehind() {
    long end = Math.min(claimed(), position + slotCount);
    for (long at = position + 1; at < end; at++) {
      if (committed(where(at), at)) {
        return true;
      }
    }
    return false;
  }

  int pid() {
    return control.getInt(descriptor + Layout.Ring.PID);
  }

  int tid() {
    return control.getInt(descriptor + Layout.Ring.TID);
  }

  /** Times the producer had to wait for room. */
  long waits() {
    return control.getLong(descriptor + Layout.Ring.WAITS);
  }

  /**
   * Looks ahead over at most so many slots that are committed and were not looked at before.
   *
   * @return the latest time among them, or {@link Long#MIN_VALUE}
   */
  long walk(int limit) {
    long at = Math.max(walked, position);
    long end = at + limit;
    long latest = Long.MIN_VALUE;
    while (at < end && at - position < slotCount) {
      long where = where(at);
      if (!committed(where, at)) {
        break;
      }
      int kind = kind(where);
      if (kind == EventKind.PAD) {
        at++;
        continue;
      }
      int slot = ((int) at & mask) << SLOT_SHIFT;
      latest = Math.max(latest, slots.getLong(slot + Layout.Slot.TIME));
      at +=
          1
              + Payload.slots(
                  Math.max(0, Payload.length(kind, slots.getLong(slot + Layout.Slot.VALUE))));
    }
    walked = at;
    return latest;
  }

  /**
   * Says that the producer is dead: what it has taken and not committed is passed over. The raw
   * bytes of an unfinished payload can look committed, so an event counts there only if its fields
   * make sense.
   */
  void abandon(Plausibility plausibility) {
    // A target that scribbles over the recording can leave any number there.
    abandonedEnd = Math.min(claimed(), position + 2L * slotCount);
    this.plausibility = plausibility;
  }

  /** Slots that a dead producer left unwritten. */
  long skipped() {
    return skipped;
  }

  private boolean plausibleHead() {
    long where = where(position);
    if (!committed(where, position)) {
      return false;
    }
    int at = ((int) position & mask) << SLOT_SHIFT;
    int kind = kind(where);
    long value = slots.getLong(at + Layout.Slot.VALUE);
    int payload = Payload.length(kind, value);
    return kind == EventKind.PAD
        ? where << 64 - Layout.LAP_SHIFT == 0
        : payload >= 0
            && position + 1 + Payload.slots(payload) <= claimed()
            && plausibility.holds(
                kind,
                slots.getLong(at + Layout.Slot.TIME),
                slots.getInt(at + Layout.Slot.SITE),
                slots.getInt(at + Layout.Slot.STACK));
  }

  /** Whether a slot's fields can be those of an event. */
  interface Plausibility {
    boolean holds(int kind, long time, int site, int stack);
  }
}
