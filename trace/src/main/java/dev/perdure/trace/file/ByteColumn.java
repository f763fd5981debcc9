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
    Varint.putWord(bytes, length, value);
    length += size;
  }

  /** A number as {@link Varint} has it, of ten bytes at most. */
  void putVarint(long value) {
    reserve(10);
    if (value >>> Varint.SHORT_BITS == 0) {
      length = Varint.put(bytes, length, value);
      return;
    }
    long v = value;
    while ((v & ~0x7fL) != 0) {
      bytes[length++] = (byte) (v | 0x80);
      v >>>= 7;
    }
    bytes[length++] = (byte) v;
  }

  /** Small numbers of either sign are short. */
  void putSigned(long value) {
    putVarint(Varint.unsigned(value));
  }

  void putBytes(byte[] source, int count) {
    reserve(count);
    System.arraycopy(source, 0, bytes, length, count);
    length += count;
  }
}
