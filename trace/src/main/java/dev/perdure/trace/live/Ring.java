package dev.perdure.trace.live;

import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The reader's end of one ring: copies what is committed, gives the slots back, and is a cursor
 * over the copy. One thread reads a ring.
 */
public final class Ring {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SLOT_SHIFT = 5;
  private static final int SMALLEST_COPY = 512;
  private static final int LARGEST_COPY = 8192;

  private final RingSlots slots;

  /** Slots from {@link #position} to {@link #copied}, at their position modulo its size. */
  private byte[] copy = new byte[0];

  private int copyMask;
  private long position;
  private long copied;
  private long lastCopiedTime = Long.MIN_VALUE;
  private long headTime;

  /** Where the event lies whose time the untimed ones before it have, while it is known. */
  private long timedAt;

  private int thread;

  /** What a dead producer had taken ends here. */
  private long abandonedEnd;

  /** The first slot of it that was not committed. */
  private long doubtFrom;

  private RingSlots.Plausibility plausibility;
  private long skipped;
  private boolean finished;

  /** Any event that this ring may still bring has at least this time. */
  long safeTime;

  /** When the reader first saw an uncommitted slot at the current position; 0 for never. */
  long stuckSince;

  /** When to ask next whether the thread that left it uncommitted still runs. */
  long nextCheck;

  Ring(RingSlots slots) {
    this.slots = slots;
    this.position = slots.consumed();
    this.copied = position;
  }

  static int kind(long where) {
    return (int) (where >>> Layout.KIND_SHIFT) & Layout.KIND_MASK;
  }

  /**
   * Copies what is committed, as far as there is room, and gives it back to the producer.
   *
   * @return whether there are events to take
   */
  boolean fill() {
    if (copied < abandonedEnd) {
      padAbandoned();
    }
    if (copied == position + copyMask + 1 || copy.length == 0) {
      grow();
    }
    long end = position + copyMask + 1;
    long at = copied;
    long last = -1;
    boolean payloads = false;
    while (at < end) {
      long where = slots.where(at);
      if (!slots.committed(where, at)) {
        break;
      }
      int kind = kind(where);
      int behind = 0;
      if (Payload.possible(kind)) {
        behind = slots.payloadSlots(at, kind);
        payloads = true;
      }
      if (at + 1 + behind > end) {
        break;
      }
      if (kind != EventKind.PAD && slots.hasOwnTime(at, kind)) {
        last = at;
      }
      at += 1 + behind;
    }
    if (at > copied) {
      copyUpTo(at, payloads);
      if (last >= 0) {
        lastCopiedTime = time(last);
      }
    }
    return peek();
  }

  private void grow() {
    int wanted = Math.min(LARGEST_COPY, Math.max(SMALLEST_COPY, 2 * (copyMask + 1)));
    int size = Math.min(slots.count(), wanted);
    if (size << SLOT_SHIFT == copy.length) {
      return;
    }
    byte[] larger = new byte[size << SLOT_SHIFT];
    for (long at = position; at < copied; at++) {
      int target = ((int) at & size - 1) << SLOT_SHIFT;
      System.arraycopy(copy, local(at), larger, target, Layout.Slot.SIZE);
    }
    copy = larger;
    copyMask = size - 1;
  }

  private void copyUpTo(long end, boolean payloads) {
    for (long at = copied; at < end; ) {
      int until = Math.min(slots.untilEnd(at), copyMask + 1 - ((int) at & copyMask));
      int count = (int) Math.min(end - at, until);
      slots.copy(at, count, copy, local(at));
      at += count;
    }
    if (payloads) {
      blankPayloads(end);
    }
    copied = end;
    slots.consume(copied);
  }

  private void blankPayloads(long end) {
    for (long at = copied; at < end; ) {
      int kind = kind(where(at));
      int behind = Payload.possible(kind) ? slots.payloadSlots(at, kind) : 0;
      for (int i = 1; i <= behind; i++) {
        slots.blank(at + i);
      }
      at += 1 + behind;
    }
  }

  /** Moves over pads to the next event of the copy: then {@link #headTime} is known. */
  boolean peek() {
    position = nextEvent(position);
    if (position == copied) {
      return false;
    }
    headTime = time(position);
    stuckSince = 0;
    if (headTime == Layout.TIME_OF_LAST) {
      headTime = safeTime;
      return true;
    }
    if (Layout.isUntimed(kind(where(position)), headTime)) {
      return findTimeOfHead();
    }
    return !Layout.isEarly(where(position)) || settleHead();
  }

  /**
   * The head has no time of its own: it counts as made with the next event that has. As long as
   * none lies behind it, the ring brings nothing; the last ones of a dead thread were made by now.
   */
  private boolean findTimeOfHead() {
    if (timedAt <= position) {
      timedAt = nextTimed(position + 1);
    }
    if (timedAt < copied) {
      headTime = time(timedAt);
      return true;
    }
    timedAt = 0;
    headTime = safeTime;
    return finished && copied >= abandonedEnd;
  }

  /**
   * The head is an acquisition that was stamped early: it counts as made with the next event, and
   * soon in any case. Where nothing lies behind it, neither here nor in the ring, the safe time
   * says what cannot come any more.
   */
  private boolean settleHead() {
    long latest = headTime + Layout.EARLY_TICKS;
    long next = nextTimed(position + 1);
    headTime = next < copied ? Math.min(latest, time(next)) : latest;
    return next < copied || (finished ? copied >= abandonedEnd : idle() && safeTime >= latest);
  }

  private long nextTimed(long from) {
    long at = nextEvent(from);
    while (at < copied && !Layout.hasOwnTime(kind(where(at)), time(at))) {
      at = nextEvent(at + 1);
    }
    return at;
  }

  private long nextEvent(long from) {
    long at = from;
    while (at < copied && !isEvent(at)) {
      at++;
    }
    return at;
  }

  private boolean isEvent(long at) {
    int kind = kind(where(at));
    return kind != EventKind.PAD
        && Payload.length(kind, (long) LONG.get(copy, local(at) + Layout.Slot.VALUE)) >= 0;
  }

  private long where(long at) {
    return (long) LONG.get(copy, local(at) + Layout.Slot.WHERE);
  }

  private long time(long at) {
    return (long) LONG.get(copy, local(at) + Layout.Slot.TIME);
  }

  long headTime() {
    return headTime;
  }

  /** The time of the last event copied: it was visible then. */
  long lastCopiedTime() {
    return lastCopiedTime;
  }

  /**
   * Moves events into a batch, as far as there is room and none is later than the limit: first the
   * one that {@link #peek} has found.
   *
   * @return whether there is a next one
   */
  boolean take(EventBatch batch, long limit) {
    boolean more;
    do {
      takeHead(batch);
      more = peek();
    } while (more && headTime <= limit && !batch.isFull());
    return more;
  }

  private void takeHead(EventBatch batch) {
    int at = local(position);
    long where = (long) LONG.get(copy, at + Layout.Slot.WHERE);
    int kind = kind(where);
    long value = (long) LONG.get(copy, at + Layout.Slot.VALUE);
    if (kind == EventKind.THREAD_BEGIN) {
      thread = (int) value;
    } else if (thread == 0) {
      // Known by now: the producer fills in the descriptor before it writes events.
      thread = slots.thread();
    }
    position++;
    if (Payload.possible(kind)) {
      int length = Payload.length(kind, value);
      batch.addPayload(copy, local(position), length);
      position += Payload.slots(length);
    }
    int info = (int) (where >>> Layout.INFO_SHIFT);
    batch.add(
        kind,
        Layout.isEarly(where) ? info & ~EventInfo.LOCK_EARLY : info,
        thread,
        headTime,
        where & (1L << Layout.ADDR_BITS) - 1,
        (int) INT.get(copy, at + Layout.Slot.SITE),
        (int) INT.get(copy, at + Layout.Slot.STACK),
        value);
    safeTime = Math.max(safeTime, headTime);
  }

  private int local(long at) {
    return ((int) at & copyMask) << SLOT_SHIFT;
  }

  /** Whether the producer has taken nothing beyond what was copied. */
  boolean idle() {
    return slots.claimed() <= copied;
  }

  /** Whether a slot behind the first uncommitted one is committed. */
  boolean committedBehind() {
    return slots.anyCommitted(copied + 1, Math.min(slots.claimed(), copied + slots.count()));
  }

  int pid() {
    return slots.pid();
  }

  int tid() {
    return slots.tid();
  }

  /** Times the producer had to wait for room. */
  long waits() {
    return slots.waits();
  }

  /**
   * Says that the producer is dead: what it has taken and not committed is passed over. Behind the
   * first such slot, the raw bytes of an unfinished payload can look committed, so an event counts
   * there only if its fields make sense.
   */
  void abandon(RingSlots.Plausibility plausibility) {
    if (copied >= abandonedEnd) {
      doubtFrom = Long.MAX_VALUE;
    }
    // A target that scribbles over the recording can leave any number there.
    abandonedEnd = Math.min(slots.claimed(), copied + 2L * slots.count());
    this.plausibility = plausibility;
  }

  /** Says that nobody will ever write here again: what has been taken is all there is. */
  void finish(RingSlots.Plausibility plausibility) {
    abandon(plausibility);
    finished = true;
  }

  private void padAbandoned() {
    for (long at = copied; at < abandonedEnd && at < copied + slots.count(); ) {
      long where = slots.where(at);
      if (slots.committed(where, at)
          && (at < doubtFrom || slots.plausible(at, abandonedEnd, plausibility))) {
        at += 1 + slots.payloadSlots(at, kind(where));
      } else {
        doubtFrom = Math.min(doubtFrom, at);
        slots.blank(at++);
        skipped++;
      }
    }
  }

  /** Slots that a dead producer left unwritten. */
  long skipped() {
    return skipped;
  }
}
