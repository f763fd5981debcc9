package dev.perdure.trace.file;

import java.util.Arrays;

/** Bytes that grow at the end: one field of all events of a chunk. */
final class ByteColumn {
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

  void putFixed(long value, int size) {
    reserve(8);
    for (int i = 0; i < size; i++) {
      bytes[length++] = (byte) (value >>> 8 * i);
    }
  }

  /** Seven bits a byte, lowest first; the top bit says that more follow. Ten bytes at most. */
  void putVarint(long value) {
    reserve(10);
    long v = value;
    int at = length;
    while ((v & ~0x7fL) != 0) {
      bytes[at++] = (byte) (v | 0x80);
      v >>>= 7;
    }
    bytes[at++] = (byte) v;
    length = at;
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
