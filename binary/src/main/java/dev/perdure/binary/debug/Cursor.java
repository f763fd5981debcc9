package dev.perdure.binary.debug;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the basic values of DWARF, one after the other. */
final class Cursor {
  private final ByteBuffer bytes;
  private int at;

  Cursor(ByteBuffer bytes, long at) {
    this.bytes = bytes;
    this.at = position(at);
  }

  int at() {
    return at;
  }

  void moveTo(long position) {
    at = position(position);
  }

  void skip(long count) {
    moveTo(at + count);
  }

  private int position(long position) {
    if (position < 0 || position > bytes.limit()) {
      throw new BadDebugInfo("a position outside of its section");
    }
    return (int) position;
  }

  int u8() {
    return bytes.get(at++) & 0xff;
  }

  int u16() {
    int value = bytes.getShort(at) & 0xffff;
    at += 2;
    return value;
  }

  int u24() {
    int low = u16();
    return low | u8() << 16;
  }

  long u32() {
    long value = bytes.getInt(at) & 0xffffffffL;
    at += 4;
    return value;
  }

  long u64() {
    long value = bytes.getLong(at);
    at += 8;
    return value;
  }

  /** An offset into a section: four bytes, or eight in the 64-bit form of DWARF. */
  long offset(boolean wide) {
    return wide ? u64() : u32();
  }

  long uleb() {
    long value = 0;
    int shift = 0;
    int b;
    do {
      b = u8();
      value |= shift < 64 ? (b & 0x7fL) << shift : 0;
      shift += 7;
    } while ((b & 0x80) != 0);
    return value;
  }

  long sleb() {
    long value = 0;
    int shift = 0;
    int b;
    do {
      b = u8();
      value |= shift < 64 ? (b & 0x7fL) << shift : 0;
      shift += 7;
    } while ((b & 0x80) != 0);
    return shift < 64 && (b & 0x40) != 0 ? value | -1L << shift : value;
  }

  void skipLeb() {
    while ((bytes.get(at++) & 0x80) != 0) {}
  }

  void skipString() {
    while (bytes.get(at++) != 0) {}
  }

  String string() {
    String text = string(bytes, at);
    skipString();
    return text;
  }

  /** The string that ends at the next zero. */
  static String string(ByteBuffer bytes, long at) {
    if (at < 0 || at >= bytes.limit()) {
      throw new BadDebugInfo("a string outside of its section");
    }
    int from = (int) at;
    int to = from;
    while (to < bytes.limit() && bytes.get(to) != 0) {
      to++;
    }
    byte[] text = new byte[to - from];
    bytes.get(from, text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
