package dev.perdure.binary.debug;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Compressed debug sections: zlib and zstd as ELF describes them, and GNU's older form of zlib. */
final class Compression {
  private static final int HEADER = 24;
  private static final int ZLIB = 1;
  private static final int ZSTD = 2;
  private static final int GNU_HEADER = 12;
  private static final int GNU_MAGIC = 0x42494c5a; // "ZLIB"

  private Compression() {}

  /** Behind the header that SHF_COMPRESSED announces. */
  static ByteBuffer standard(ByteBuffer section) {
    int kind = section.getInt(0);
    byte[] plain = new byte[size(section.getLong(8))];
    return switch (kind) {
      case ZLIB -> inflate(section, HEADER, plain);
      case ZSTD -> zstd(section, plain);
      default -> throw new BadDebugInfo("a section with compression " + kind);
    };
  }

  /** Sections whose names begin with {@code .zdebug}. */
  static ByteBuffer gnu(ByteBuffer section) {
    if (section.getInt(0) != GNU_MAGIC) {
      throw new BadDebugInfo("a compressed section without its head");
    }
    return inflate(section, GNU_HEADER, new byte[size(Long.reverseBytes(section.getLong(4)))]);
  }

  private static int size(long size) {
    if (size < 0 || size > Integer.MAX_VALUE - 8) {
      throw new BadDebugInfo("a compressed section of " + size + " bytes");
    }
    return (int) size;
  }

  private static ByteBuffer inflate(ByteBuffer section, int from, byte[] plain) {
    var inflater = new Inflater();
    try {
      inflater.setInput(section.array(), from, section.limit() - from);
      int done = 0;
      while (done < plain.length && !inflater.finished()) {
        int n = inflater.inflate(plain, done, plain.length - done);
        if (n == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          break;
        }
        done += n;
      }
      return whole(done, plain);
    } catch (DataFormatException e) {
      throw new BadDebugInfo("a compressed section is damaged");
    } finally {
      inflater.end();
    }
  }

  private static ByteBuffer zstd(ByteBuffer section, byte[] plain) {
    try {
      int done =
          new ZstdDecompressor()
              .decompress(
                  section.array(), HEADER, section.limit() - HEADER, plain, 0, plain.length);
      return whole(done, plain);
    } catch (MalformedInputException e) {
      throw new BadDebugInfo("a compressed section is damaged");
    }
  }

  private static ByteBuffer whole(int done, byte[] plain) {
    if (done != plain.length) {
      throw new BadDebugInfo("a compressed section is cut short");
    }
    return ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
  }
}
