package dev.perdure.trace.live;

import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.lang.invoke.VarHandle;

/**
 * The reader's end of one ring: copies what is committed, gives the slots back, and is a cursor
 * over the copy. One thread reads a ring.
 */
public final class Ring {
  private static final int ROW = EventBatch.ROW;

  private final RingSlots slots;
  private final RingCopy copy;
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

  /** What was copied when the thread was found dead: its last events lie before it. */
  private long lastOfDead = -1;

  /** Any event that this ring may still bring has at least this time. */
  long safeTime;

  /** When the reader first saw an uncommitted slot at the current position; 0 for never. */
  long stuckSince;

  /**
   * When to ask next whether the thread that left it uncommitted, or without a time, still runs.
   */
  long nextCheck;

  /** The head whose missing time that was planned for. */
  private long untimedAt = -1;

  Ring(RingSlots slots) {
    this.slots = slots;
    this.copy = new RingCopy(slots.consumed());
  }

  /**
   * Copies what is committed, as far as there is room, and gives it back to the producer.
   *
   * @return whether there are events to take
   */
  boolean fill() {
    if (copy.end < abandonedEnd) {
      padAbandoned();
    }
    if (copy.isFull()) {
      copy.grow(slots.count());
    }
    long limit = Math.min(slots.claimed(), copy.room());
    long end = copy.end;
    while (copy.end >= end && copy.end < limit) {
      end = Math.min(copy.end + ROW, limit);
      slots.copy(copy.end, end, copy);
      copyCommitted(end, limit);
    }
    return peek();
  }

  /**
   * Of slots that were copied, finds those that were committed by then, and copies them again: only
   * what is read after the second word is what the producer wrote before it. A payload may lie
   * beyond their end, up to the limit.
   */
  private void copyCommitted(long end, long limit) {
    long[] words = copy.words;
    int mask = copy.mask;
    long from = copy.end;
    long at = from;
    long last = -1;
    boolean payloads = false;
    while (at < end) {
      int i = ((int) at & mask) << RingCopy.SLOT_SHIFT;
      long where = words[i + RingCopy.WHERE];
      if (!slots.committed(where, at)) {
        break;
      }
      int kind = RingCopy.kind(where);
      long next = at + 1;
      if (Payload.possible(kind)) {
        VarHandle.acquireFence();
        next += slots.payloadSlots(at, kind);
        payloads = true;
        if (next > limit) {
          break;
        }
      }
      if (kind != EventKind.PAD && Layout.hasOwnTime(kind, words[i + RingCopy.TIME])) {
        last = at;
      }
      at = next;
    }
    if (at > from) {
      VarHandle.acquireFence();
      slots.copy(from, at, copy);
      if (payloads) {
        blankPayloads(from, at);
      }
      copy.end = at;
      slots.consume(at);
      if (last >= 0 && Layout.hasOwnTime(RingCopy.kind(copy.where(last)), copy.time(last))) {
        lastCopiedTime = copy.time(last);
      }
    }
  }

  private void blankPayloads(long from, long end) {
    for (long at = from; at < end; ) {
      int kind = RingCopy.kind(copy.where(at));
      int behind = Payload.possible(kind) ? slots.payloadSlots(at, kind) : 0;
      for (int i = 1; i <= behind; i++) {
        slots.blank(at + i);
      }
      at += 1 + behind;
    }
  }

  /** Moves over pads to the next event of the copy: then {@link #headTime} is known. */
  boolean peek() {
    copy.position = copy.nextEvent(copy.position);
    if (copy.position == copy.end) {
      return false;
    }
    stuckSince = 0;
    headTime = copy.time(copy.position);
    if (headTime == Layout.TIME_OF_LAST) {
      headTime = safeTime;
      return true;
    }
    return headTime != Layout.UNTIMED && !Layout.isEarly(copy.where(copy.position)) || settleHead();
  }

  /** Finds the time of a head that may not say it; false as long as that cannot be known. */
  private boolean settleHead() {
    long where = copy.where(copy.position);
    if (Layout.isUntimed(RingCopy.kind(where), headTime)) {
      return findTimeOfUntimed();
    }
    return !Layout.isEarly(where) || findTimeOfEarly();
  }

  /**
   * The head has no time of its own: it counts as made with the next event that has. As long as
   * none lies behind it, the ring brings nothing; the last ones of a dead thread were made by the
   * safe time.
   */
  private boolean findTimeOfUntimed() {
    if (timedAt <= copy.position) {
      timedAt = copy.nextTimed(copy.position + 1);
    }
    if (timedAt < copy.end) {
      headTime = copy.time(timedAt);
      return true;
    }
    timedAt = 0;
    headTime = safeTime;
    return finished ? copy.end >= abandonedEnd : copy.end == lastOfDead;
  }

  /** Whether it is worth a look if the thread of an untimed head still runs. */
  boolean isOverdue(long now, long patience) {
    if (copy.position == copy.end || timedAt != 0) {
      return false;
    }
    if (untimedAt != copy.position) {
      untimedAt = copy.position;
      nextCheck = now + patience;
    } else if (now - nextCheck >= 0) {
      nextCheck = now + patience;
      return true;
    }
    return false;
  }

  /** Says that the thread is dead: what was copied is all that it has done. */
  void threadEnded() {
    lastOfDead = copy.end;
  }

  /**
   * The head is an acquisition that was stamped early: it counts as made with the next event, and
   * soon in any case. Where nothing lies behind it, neither here nor in the ring, the safe time
   * says what cannot come any more.
   */
  private boolean findTimeOfEarly() {
    long latest = headTime + Layout.EARLY_TICKS;
    long next = copy.nextTimed(copy.position + 1);
    boolean known = next < copy.end;
    headTime = known ? Math.min(latest, copy.time(next)) : latest;
    return known || (finished ? copy.end >= abandonedEnd : idle() && safeTime >= latest);
  }

  long headTime() {
    return headTime;
  }

  /** The time of the last event copied: it was visible then. */
  long lastCopiedTime() {
    return lastCopiedTime;
  }

  /**
   * Moves a row of events into a batch, as far as there is room and none is later than the limit:
   * first the one that {@link #peek} has found. Everything is in local variables here.
   *
   * @return whether there is a next one
   */
  boolean take(EventBatch batch, long limit) {
    if (thread == 0) {
      // Known by now: the producer fills in the descriptor before it writes events.
      thread = slots.thread();
    }
    long[] words = copy.words;
    int mask = copy.mask;
    long end = copy.end;
    long at = copy.position;
    long time = headTime;
    long safe = safeTime;
    int owner = thread;
    int n = batch.size();
    int full = Math.min(n + ROW, batch.capacity());
    boolean more;
    do {
      int i = ((int) at & mask) << RingCopy.SLOT_SHIFT;
      long where = words[i + RingCopy.WHERE];
      long value = words[i + RingCopy.VALUE];
      long place = words[i + RingCopy.PLACE];
      int kind = RingCopy.kind(where);
      int info = (int) (where >>> Layout.INFO_SHIFT);
      at++;
      if (kind == EventKind.THREAD_BEGIN) {
        owner = (int) value;
      } else if (kind == EventKind.ACQUIRE) {
        info &= ~EventInfo.LOCK_EARLY;
      } else if (Payload.possible(kind)) {
        batch.setSize(n);
        at += addPayload(batch, at, Payload.length(kind, value));
      }
      batch.heads[n] = kind << 8 | info;
      batch.threads[n] = owner;
      batch.times[n] = time;
      batch.addresses[n] = where & (1L << Layout.ADDR_BITS) - 1;
      batch.sites[n] = (int) place;
      batch.stacks[n] = (int) (place >>> 32);
      batch.values[n] = value;
      n++;
      safe = Math.max(safe, time);
      while (true) {
        more = at < end;
        i = ((int) at & mask) << RingCopy.SLOT_SHIFT;
        where = words[i + RingCopy.WHERE];
        if (!more || RingCopy.isEvent(RingCopy.kind(where), words[i + RingCopy.VALUE])) {
          break;
        }
        at++;
      }
      if (!more) {
        break;
      }
      time = words[i + RingCopy.TIME];
      if (time == Layout.TIME_OF_LAST) {
        time = safe;
      } else if (time == Layout.UNTIMED || Layout.isEarly(where)) {
        copy.position = at;
        safeTime = safe;
        headTime = time;
        more = settleHead();
        time = headTime;
      }
    } while (more && time <= limit && n < full);
    batch.setSize(n);
    copy.position = at;
    safeTime = safe;
    headTime = time;
    thread = owner;
    return more;
  }

  private int addPayload(EventBatch batch, long at, int length) {
    batch.addPayload(copy.payload(at, length), length);
    return Payload.slots(length);
  }

  /** Whether the producer has taken nothing beyond what was copied. */
  boolean idle() {
    return slots.claimed() <= copy.end;
  }

  /** Whether a slot behind the first uncommitted one is committed. */
  boolean committedBehind() {
    return slots.anyCommitted(copy.end + 1, Math.min(slots.claimed(), copy.end + slots.count()));
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
    if (copy.end >= abandonedEnd) {
      doubtFrom = Long.MAX_VALUE;
    }
    // A target that scribbles over the recording can leave any number there.
    abandonedEnd = Math.min(slots.claimed(), copy.end + 2L * slots.count());
    this.plausibility = plausibility;
  }

  /** Says that nobody will ever write here again: what has been taken is all there is. */
  void finish(RingSlots.Plausibility plausibility) {
    abandon(plausibility);
    finished = true;
  }

  private void padAbandoned() {
    long reach = copy.end + slots.count();
    for (long at = copy.end; at < abandonedEnd && at < reach; ) {
      long where = slots.where(at);
      if (slots.committed(where, at)
          && (at < doubtFrom || slots.plausible(at, abandonedEnd, plausibility))) {
        at += 1 + slots.payloadSlots(at, RingCopy.kind(where));
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
