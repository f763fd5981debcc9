package dev.perdure.trace.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of an array at once, lowest first, and numbers with a sign as numbers without. */
final class Words {
  /** Bytes that must be there beyond the last number. */
  static final int SLACK = Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  static long get(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static void put(byte[] bytes, int at, long word) {
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
