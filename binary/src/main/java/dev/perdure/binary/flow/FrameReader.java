package dev.perdure.binary.flow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers in the encodings of .eh_frame and of tables of landing pads. */
final class FrameReader {
  static final int OMITTED = 0xff;

  final ByteBuffer bytes;
  private final long address;

  FrameReader(ByteBuffer bytes, long address) {
    this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    this.address = address;
  }

  long here() {
    return address + bytes.position();
  }

  long unsigned() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = bytes.get();
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
  }

  long signed() {
    long value = 0;
    int shift = 0;
    byte b;
    do {
      b = bytes.get();
      value |= (long) (b & 0x7f) << shift;
      shift += 7;
    } while (b < 0);
    return shift < 64 && (b & 0x40) != 0 ? value | -1L << shift : value;
  }

  /** A pointer in a DW_EH_PE encoding; indirect ones give the address of the pointer. */
  long encoded(int encoding) {
    long base = (encoding & 0x70) == 0x10 ? here() : 0;
    long value = number(encoding & 0x0f);
    return value == 0 ? 0 : base + value;
  }

  long number(int format) {
    return switch (format) {
      case 0x01 -> unsigned();
      case 0x09 -> signed();
      case 0x02 -> bytes.getShort() & 0xffff;
      case 0x0a -> bytes.getShort();
      case 0x03 -> bytes.getInt() & 0xffffffffL;
      case 0x0b -> bytes.getInt();
      default -> bytes.getLong();
    };
  }

  String string() {
    StringBuilder text = new StringBuilder();
    for (byte b = bytes.get(); b != 0; b = bytes.get()) {
      text.append((char) b);
    }
    return text.toString();
  }
}
