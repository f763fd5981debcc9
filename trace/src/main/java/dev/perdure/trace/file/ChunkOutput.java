package dev.perdure.trace.file;

import io.airlift.compress.lz4.Lz4Compressor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;

/** Appends chunks to a file. One that cannot be written whole is taken back. */
final class ChunkOutput implements Closeable {
  private final FileChannel channel;
  private final Lz4Compressor compressor = new Lz4Compressor();
  private final CRC32C checksum = new CRC32C();
  private byte[] buffer = new byte[0];
  private long length;

  ChunkOutput(Path path) throws IOException {
    channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      ByteBuffer header =
          ByteBuffer.allocate(TraceFormat.FILE_HEADER).order(ByteOrder.LITTLE_ENDIAN);
      header.putLong(TraceFormat.MAGIC).putInt(TraceFormat.VERSION).rewind();
      append(header);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Bytes written so far. */
  long length() {
    return length;
  }

  /** Makes a compressed chunk; its bytes lie in the returned buffer until the next call. */
  ByteBuffer pack(int type, byte[] content, int length) {
    reserve(compressor.maxCompressedLength(length));
    int stored =
        compressor.compress(
            content,
            0,
            length,
            buffer,
            TraceFormat.CHUNK_HEADER,
            buffer.length - TraceFormat.CHUNK_HEADER);
    return stored < length ? finish(type, length, stored) : store(type, content, length);
  }

  /** Makes a chunk of the content as it is; the bytes lie in the buffer until the next call. */
  ByteBuffer store(int type, byte[] content, int length) {
    reserve(length);
    System.arraycopy(content, 0, buffer, TraceFormat.CHUNK_HEADER, length);
    return finish(type, length, length);
  }

  private void reserve(int most) {
    if (buffer.length < TraceFormat.CHUNK_HEADER + most) {
      buffer = new byte[TraceFormat.CHUNK_HEADER + most + most / 4];
    }
  }

  private ByteBuffer finish(int type, int length, int stored) {
    ByteBuffer chunk =
        ByteBuffer.wrap(buffer, 0, TraceFormat.CHUNK_HEADER + stored)
            .order(ByteOrder.LITTLE_ENDIAN);
    chunk.putInt(0, type).putInt(4, length).putInt(8, stored);
    checksum.reset();
    checksum.update(buffer, 0, 12);
    checksum.update(buffer, TraceFormat.CHUNK_HEADER, stored);
    return chunk.putInt(12, (int) checksum.getValue());
  }

  void append(ByteBuffer chunk) throws IOException {
    int size = chunk.remaining();
    try {
      while (chunk.hasRemaining()) {
        channel.write(chunk);
      }
    } catch (IOException e) {
      channel.truncate(length);
      channel.position(length);
      throw e;
    }
    length += size;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
