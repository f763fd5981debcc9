package dev.perdure.trace.file;

/** Reads what {@link ByteColumn} wrote, never beyond its end. */
final class ByteReader {
  private byte[] bytes = new byte[0];
  private int at;
  private int end;

  void reset(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** Where the next byte is, in the array. */
  int position() {
    return at;
  }

  void moveTo(int position) throws DamagedChunk {
    if (position > end) {
      throw new DamagedChunk();
    }
    at = position;
  }

  int remaining() {
    return end - at;
  }

  int get() throws DamagedChunk {
    if (at >= end) {
      throw new DamagedChunk();
    }
    return bytes[at++] & 0xff;
  }

  int getShort() throws DamagedChunk {
    return get() | get() << 8;
  }

  long getFixed(int size) throws DamagedChunk {
    if (end - at < size) {
      throw new DamagedChunk();
    }
    long v = 0;
    for (int i = 0; i < size; i++) {
      v |= (bytes[at++] & 0xffL) << 8 * i;
    }
    return v;
  }

  long getVarint() throws DamagedChunk {
    int b = get();
    long v = b & 0x7f;
    for (int shift = 7; b >= 0x80; shift += 7) {
      if (shift > 63) {
        throw new DamagedChunk();
      }
      b = get();
      v |= (b & 0x7fL) << shift;
    }
    return v;
  }

  void getBytes(byte[] target, int count) throws DamagedChunk {
    if (end - at < count) {
      throw new DamagedChunk();
    }
    System.arraycopy(bytes, at, target, 0, count);
    at += count;
  }

  byte[] getBytes(long count) throws DamagedChunk {
    if (count < 0 || end - at < count) {
      throw new DamagedChunk();
    }
    byte[] copy = new byte[(int) count];
    getBytes(copy, copy.length);
    return copy;
  }

  /** A count of things of which each takes at least so many bytes. */
  int getCount(int leastBytes) throws DamagedChunk {
    long n = getVarint();
    if (n < 0 || n > remaining() / leastBytes) {
      throw new DamagedChunk();
    }
    return (int) n;
  }

  /** A chunk whose content contradicts itself: the trace ends before it. */
  static final class DamagedChunk extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedChunk() {
      super("damaged chunk", null, false, false);
    }
  }
}
