package dev.perdure.trace.live;

import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Slots of a ring, copied: those from {@link #position} to {@link #end}, each at its position
 * modulo the copy's size. Plain words in an array: loops over them are fast long before they are
 * compiled well.
 */
final class RingCopy {
  static final int SLOT_SHIFT = 2;

  /** The words of a slot. */
  static final int TIME = Layout.Slot.TIME / Long.BYTES;

  static final int WHERE = Layout.Slot.WHERE / Long.BYTES;

  /** The site, and above it the stack. */
  static final int PLACE = Layout.Slot.SITE / Long.BYTES;

  static final int VALUE = Layout.Slot.VALUE / Long.BYTES;

  private static final int SMALLEST = 512;
  private static final int LARGEST = 2048;

  /** For the loops that keep it at hand. */
  long[] words = new long[0];

  int mask;

  /** The next slot to be taken. */
  long position;

  /** Behind the last slot that was copied. */
  long end;

  private byte[] payload = new byte[0];

  RingCopy(long position) {
    this.position = position;
    this.end = position;
  }

  static int kind(long where) {
    return (int) (where >>> Layout.KIND_SHIFT) & Layout.KIND_MASK;
  }

  /** Whether a slot that was reached holds an event, and no padding. */
  static boolean isEvent(int kind, long value) {
    return kind != EventKind.PAD && (!Payload.possible(kind) || Payload.length(kind, value) >= 0);
  }

  int index(long at) {
    return ((int) at & mask) << SLOT_SHIFT;
  }

  long time(long at) {
    return words[index(at) + TIME];
  }

  long where(long at) {
    return words[index(at) + WHERE];
  }

  boolean isFull() {
    return end == position + (words.length >> SLOT_SHIFT);
  }

  /** Slots that there is room for, to a position. */
  long room() {
    return position + (words.length >> SLOT_SHIFT);
  }

  /** Makes room for more slots, as far as that makes sense for a ring of so many. */
  void grow(int ringSlots) {
    int wanted = Math.min(LARGEST, Math.max(SMALLEST, words.length >> SLOT_SHIFT - 1));
    int size = Math.min(ringSlots, wanted);
    if (size << SLOT_SHIFT == words.length) {
      return;
    }
    long[] larger = new long[size << SLOT_SHIFT];
    for (long at = position; at < end; at++) {
      int target = ((int) at & size - 1) << SLOT_SHIFT;
      System.arraycopy(words, index(at), larger, target, 1 << SLOT_SHIFT);
    }
    words = larger;
    mask = size - 1;
  }

  /** The first event at a position or behind it, or the end. */
  long nextEvent(long from) {
    long at = from;
    while (at < end && !isEvent(kind(where(at)), words[index(at) + VALUE])) {
      at++;
    }
    return at;
  }

  /** The first event at a position or behind it that has a time of its own, or the end. */
  long nextTimed(long from) {
    long at = nextEvent(from);
    while (at < end && !Layout.hasOwnTime(kind(where(at)), time(at))) {
      at = nextEvent(at + 1);
    }
    return at;
  }

  /** The bytes of a payload that begins at a slot; they are valid until the next call. */
  byte[] payload(long at, int length) {
    int bytes = Payload.slots(length) * Layout.Slot.SIZE;
    if (payload.length < bytes) {
      payload = new byte[bytes];
    }
    ByteBuffer target = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < bytes; i += Long.BYTES) {
      target.putLong(i, words[index(at + i / Layout.Slot.SIZE) + (i / Long.BYTES & 3)]);
    }
    return payload;
  }
}
