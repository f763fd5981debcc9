package dev.perdure.trace.file;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Payload;
import java.util.Arrays;

/** Events on their way from one thread to another. */
final class EventBatch {
  private static final int EVENTS = 2048;
  private static final int WORDS = 6;

  private final long[] words = new long[EVENTS * WORDS];
  private byte[] payloads = new byte[4096];
  private int count;
  private int payloadEnd;

  void clear() {
    count = 0;
    payloadEnd = 0;
  }

  boolean isFull() {
    return count == EVENTS;
  }

  int count() {
    return count;
  }

  void add(Event e) {
    int length = e.payloadLength();
    if (length != Payload.length(e.kind(), e.value())) {
      throw new IllegalArgumentException(
          EventKind.name(e.kind()) + " with a payload of " + length + " bytes");
    }
    int at = count++ * WORDS;
    words[at] = e.kind() | e.info() << 8 | (long) e.thread() << 32;
    words[at + 1] = e.time();
    words[at + 2] = e.address();
    words[at + 3] = e.site() & 0xffffffffL | (long) e.stack() << 32;
    words[at + 4] = e.value();
    words[at + 5] = payloadEnd;
    if (length > 0) {
      if (payloads.length - payloadEnd < length) {
        payloads = Arrays.copyOf(payloads, 2 * payloads.length + length);
      }
      System.arraycopy(e.payload(), 0, payloads, payloadEnd, length);
      payloadEnd += length;
    }
  }

  void get(int index, Event e) {
    int at = index * WORDS;
    int kind = (int) words[at] & 0xff;
    long value = words[at + 4];
    e.set(
        kind,
        (int) words[at] >>> 8,
        (int) (words[at] >>> 32),
        words[at + 1],
        words[at + 2],
        (int) words[at + 3],
        (int) (words[at + 3] >>> 32),
        value);
    int length = Payload.length(kind, value);
    if (length > 0) {
      System.arraycopy(payloads, (int) words[at + 5], e.resizePayload(length), 0, length);
    }
  }
}
