package dev.perdure.detect.reference;

/** Little-endian bytes of a value. */
final class Bytes {
  private Bytes() {}

  static byte[] of(long value) {
    byte[] bytes = new byte[8];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (value >>> 8 * i);
    }
    return bytes;
  }

  static long toLong(byte[] bytes) {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value |= (bytes[i] & 0xffL) << 8 * i;
    }
    return value;
  }
}
