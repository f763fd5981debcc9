package dev.perdure.trace.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers of seven bits a byte, lowest first; the top bit says that more follow. They are put and
 * taken eight bytes at once: without a branch for the length, which varies at random and is
 * mispredicted.
 */
final class Varint {
  /** Bytes that must be readable beyond the last number. */
  static final int SLACK = 8;

  /** The length of a number that does not end within eight bytes. */
  static final int LONGER = 9;

  /** Numbers below two to this power end within eight bytes. */
  static final int SHORT_BITS = 56;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long TOP_BITS = 0x8080808080808080L;

  private Varint() {}

  static long word(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  /** The bytes of the number that a word starts with. */
  static int length(long word) {
    return (Long.numberOfTrailingZeros(~word & TOP_BITS) >>> 3) + 1;
  }

  /** The number of at most eight bytes that a word starts with. */
  static long value(long word, int length) {
    long v = word & -1L >>> 64 - 8 * length & ~TOP_BITS;
    v = v & 0x007f007f007f007fL | (v & 0x7f007f007f007f00L) >>> 1;
    v = v & 0x00003fff00003fffL | (v & 0x3fff00003fff0000L) >>> 2;
    return v & 0x0fffffffL | (v & 0x0fffffff00000000L) >>> 4;
  }

  /** Writes a number of at most {@link #SHORT_BITS} bits, and eight bytes; returns its end. */
  static int put(byte[] bytes, int at, long number) {
    int more = (63 - Long.numberOfLeadingZeros(number | 1)) / 7;
    long v = number & 0x0fffffffL | (number & 0x00fffffff0000000L) << 4;
    v = v & 0x00003fff00003fffL | (v & 0x0fffc0000fffc000L) << 2;
    v = v & 0x007f007f007f007fL | (v & 0x3f803f803f803f80L) << 1;
    putWord(bytes, at, v | TOP_BITS & (1L << 8 * more) - 1);
    return at + more + 1;
  }

  static void putWord(byte[] bytes, int at, long word) {
    LONG.set(bytes, at, word);
  }

  /** Small numbers of either sign become small numbers. */
  static long unsigned(long value) {
    return value << 1 ^ value >> 63;
  }

  static long signed(long value) {
    return value >>> 1 ^ -(value & 1);
  }
}
