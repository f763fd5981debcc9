package dev.perdure.crash.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The user's pools as they were before the run. Where they hold nothing but zeros is looked up
 * once, so that a copy costs what a pool holds and not what its size is.
 */
final class OriginalContents {
  private static final int BLOCK = 1 << 16;

  private record Extents(List<Long> blocks, long size) {}

  private final Map<Path, Extents> known = new ConcurrentHashMap<>();

  /** Copies a file; blocks of zeros take no space in the copy, which must be empty. */
  void copy(Path from, FileChannel to) throws IOException {
    Extents extents;
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ)) {
      extents = extents(from, in);
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
      for (long at : extents.blocks()) {
        fill(in, block, at);
        while (block.hasRemaining()) {
          to.write(block, at + block.position());
        }
      }
    }
    if (to.size() < extents.size()) {
      to.write(ByteBuffer.allocate(1), extents.size() - 1);
    }
  }

  /** How many bytes a copy of a file writes. */
  long bytes(Path file) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      return (long) extents(file, in).blocks().size() * BLOCK;
    }
  }

  private Extents extents(Path file, FileChannel in) throws IOException {
    Extents extents = known.get(file);
    if (extents == null || extents.size() != in.size()) {
      extents = look(in);
      known.put(file, extents);
    }
    return extents;
  }

  private static Extents look(FileChannel in) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    List<Long> blocks = new ArrayList<>();
    long size = in.size();
    for (long at = 0; at < size; at += BLOCK) {
      fill(in, block, at);
      if (!isZero(block)) {
        blocks.add(at);
      }
    }
    return new Extents(List.copyOf(blocks), size);
  }

  /** Reads as much as there is, or as fits; the buffer is ready to be read then. */
  static void fill(FileChannel in, ByteBuffer block, long at) throws IOException {
    block.clear();
    int n = 0;
    while (block.hasRemaining() && n >= 0) {
      n = in.read(block, at + block.position());
    }
    block.flip();
  }

  private static boolean isZero(ByteBuffer block) {
    int i = 0;
    for (; i + 8 <= block.limit(); i += 8) {
      if (block.getLong(i) != 0) {
        return false;
      }
    }
    for (; i < block.limit(); i++) {
      if (block.get(i) != 0) {
        return false;
      }
    }
    return true;
  }
}
