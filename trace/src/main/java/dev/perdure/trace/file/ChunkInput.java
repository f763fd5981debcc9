package dev.perdure.trace.file;

import dev.perdure.trace.file.ByteReader.DamagedChunk;
import dev.perdure.trace.format.TraceFormatException;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Reads chunks from a file, checking each before anything is made of it. */
final class ChunkInput implements Closeable {
  /** Where the content begins in the array that has it. */
  static final int CONTENT = TraceFormat.CHUNK_HEADER;

  private final FileChannel channel;
  private final long size;
  private final Lz4Decompressor decompressor = new Lz4Decompressor();
  private final CRC32C checksum = new CRC32C();
  private byte[] stored = new byte[0];
  private byte[] content = new byte[0];

  /** A chunk's place and kind, as its header says; nothing of it is checked but the lengths. */
  record Header(long at, int type, int length, int storedLength) {
    long end() {
      return at + TraceFormat.CHUNK_HEADER + storedLength;
    }
  }

  ChunkInput(Path path) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      size = channel.size();
      checkFileHeader(path);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private void checkFileHeader(Path path) throws IOException {
    ByteBuffer header = read(0, TraceFormat.FILE_HEADER);
    if (header.remaining() < TraceFormat.FILE_HEADER || header.getLong(0) != TraceFormat.MAGIC) {
      throw new TraceFormatException(
          path.toString(), "not a Perdure trace", "give the file \"trace\" of a run directory");
    }
    int version = header.getInt(8);
    if (version != TraceFormat.VERSION) {
      throw new TraceFormatException(
          path.toString(),
          "a trace of format version "
              + version
              + ", this Perdure reads version "
              + TraceFormat.VERSION,
          "analyze it with the version of Perdure that recorded it, or record it again");
    }
  }

  private ByteBuffer read(long at, int length) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    readInto(b, at);
    return b.flip();
  }

  private void readInto(ByteBuffer b, long at) throws IOException {
    long p = at;
    while (b.hasRemaining()) {
      int n = channel.read(b, p);
      if (n < 0) {
        return;
      }
      p += n;
    }
  }

  /** The header at a place; throws if no whole chunk lies there. */
  Header header(long at) throws IOException, DamagedChunk {
    ByteBuffer b = read(at, TraceFormat.CHUNK_HEADER);
    if (b.remaining() < TraceFormat.CHUNK_HEADER) {
      throw new DamagedChunk();
    }
    Header h = new Header(at, b.getInt(0), b.getInt(4), b.getInt(8));
    if (h.length < 0
        || h.storedLength < 0
        || h.storedLength > h.length
        || h.end() > size
        || h.length > (long) TraceFormat.LARGEST_RATIO * h.storedLength + 64) {
      throw new DamagedChunk();
    }
    return h;
  }

  /** The chunk's content, from {@link #CONTENT} on; it is valid until the next call. */
  byte[] content(Header h) throws IOException, DamagedChunk {
    int total = TraceFormat.CHUNK_HEADER + h.storedLength;
    if (stored.length < total) {
      stored = new byte[total];
    }
    ByteBuffer b = ByteBuffer.wrap(stored, 0, total).order(ByteOrder.LITTLE_ENDIAN);
    readInto(b, h.at);
    checksum.reset();
    checksum.update(stored, 0, 12);
    checksum.update(stored, TraceFormat.CHUNK_HEADER, h.storedLength);
    if (b.hasRemaining() || (int) checksum.getValue() != b.getInt(12)) {
      throw new DamagedChunk();
    }
    return h.storedLength == h.length ? stored : decompress(h);
  }

  private byte[] decompress(Header h) throws DamagedChunk {
    if (content.length < CONTENT + h.length) {
      content = new byte[CONTENT + h.length];
    }
    try {
      int n =
          decompressor.decompress(
              stored, TraceFormat.CHUNK_HEADER, h.storedLength, content, CONTENT, h.length);
      if (n != h.length) {
        throw new DamagedChunk();
      }
      return content;
    } catch (MalformedInputException e) {
      throw new DamagedChunk();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
