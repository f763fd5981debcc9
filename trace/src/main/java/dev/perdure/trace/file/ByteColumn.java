package dev.perdure.trace.file;

import java.util.Arrays;

/** Bytes that grow at the end: the content of a chunk. */
final class ByteColumn {
  private byte[] bytes = new byte[4096];
  private int length;

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /** The array, which is filled up to the length; it is valid until something is added. */
  byte[] array() {
    return bytes;
  }

  /** Writes four bytes over what is there. */
  void putAt(int at, int number) {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] = (byte) (number >>> 8 * i);
    }
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  /** The array, which has room for so many bytes more; {@link #endAt} says what was written. */
  byte[] room(int more) {
    reserve(more);
    return bytes;
  }

  void endAt(int newLength) {
    length = newLength;
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
    Words.put(bytes, length, value);
    length += size;
  }

  /** Seven bits a byte, lowest first; the top bit says that more follow. */
  void putVarint(long value) {
    reserve(10);
    long v = value;
    while ((v & ~0x7fL) != 0) {
      bytes[length++] = (byte) (v | 0x80);
      v >>>= 7;
    }
    bytes[length++] = (byte) v;
  }

  void putBytes(byte[] source, int count) {
    reserve(count);
    System.arraycopy(source, 0, bytes, length, count);
    length += count;
  }
}
