package dev.perdure.trace.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that grow at the end: one field of all events of a chunk. */
final class ByteColumn {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[4096];
  private int length;

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  void copyTo(byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, length);
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  void put(int b) {
    reserve(1);
    bytes[length++] = (byte) b;
  }

  void putShort(int s) {
    reserve(2);
    bytes[length++] = (byte) s;
    bytes[length++] = (byte) (s >>> 8);
  }

  /** The low bytes of a value, at most eight. */
  void putFixed(long value, int size) {
    reserve(8);
    LONG.set(bytes, length, value);
    length += size;
  }

  /** Seven bits a byte, lowest first; the top bit says that more follow. Ten bytes at most. */
  void putVarint(long value) {
    reserve(10);
    if (value >>> 28 == 0) {
      putShortVarint((int) value);
      return;
    }
    byte[] b = bytes;
    int at = length;
    long v = value;
    while ((v & ~0x7fL) != 0) {
      b[at++] = (byte) (v | 0x80);
      v >>>= 7;
    }
    b[at++] = (byte) v;
    length = at;
  }

  /**
   * Without a branch for the length, which varies at random and is mispredicted: 28 bits at most.
   */
  private void putShortVarint(int v) {
    int more = (31 - Integer.numberOfLeadingZeros(v | 1)) / 7;
    int spread = v & 0x7f | v << 1 & 0x7f00 | v << 2 & 0x7f0000 | v << 3 & 0x7f000000;
    INT.set(bytes, length, spread | 0x80808080 & (1 << 8 * more) - 1);
    length += more + 1;
  }

  /** Small numbers of either sign are short. */
  void putSigned(long value) {
    putVarint(value << 1 ^ value >> 63);
  }

  void putBytes(byte[] source, int count) {
    reserve(count);
    System.arraycopy(source, 0, bytes, length, count);
    length += count;
  }
}
