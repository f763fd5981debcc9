package dev.perdure.crash.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Writes the pages of an image to a file, neighbours together. */
final class PageWriter {
  private static final int BUFFER = 1 << 20;
  private static final byte[] ZEROS = new byte[4096];

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private long start;

  /**
   * Writes all pages.
   *
   * @param empty whether the file holds nothing yet, so that pages of zeros can be left out
   */
  void write(PoolImage pool, FileChannel to, boolean empty) throws IOException {
    List<PoolImage.Page> pages =
        pool.pages().stream()
            .filter(p -> p.offset() < pool.size())
            .filter(p -> !empty || !Arrays.equals(p.content(), ZEROS))
            .sorted(Comparator.comparingLong(PoolImage.Page::offset))
            .toList();
    buffer.clear();
    for (PoolImage.Page page : pages) {
      int length = (int) Math.min(page.content().length, pool.size() - page.offset());
      if (start + buffer.position() != page.offset() || buffer.remaining() < length) {
        flush(to);
        start = page.offset();
      }
      buffer.put(page.content(), 0, length);
    }
    flush(to);
  }

  private void flush(FileChannel to) throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      to.write(buffer, start + buffer.position());
    }
    buffer.clear();
  }
}
