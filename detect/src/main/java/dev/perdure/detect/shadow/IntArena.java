package dev.perdure.detect.shadow;

import java.util.Arrays;

/**
 * Blocks of ints whose sizes are powers of two, in a few large arrays, recycled by size. A block's
 * address is an int that is never 0.
 */
public final class IntArena {
  /** Log2 of the ints in one array. */
  static final int CHUNK_SHIFT = 18;

  /**
   * A large array starts at a boundary of cache lines with a header of 16 bytes; blocks start 48
   * bytes later, so that those of 16 ints or more do not straddle lines. The array is as much
   * shorter, so that it fills its pages exactly.
   */
  private static final int LEAD = 12;

  private static final int HEADER = 4;

  private static final int CHUNK = 1 << CHUNK_SHIFT;
  private static final int MASK = CHUNK - 1;

  private int[][] chunks = {new int[CHUNK - HEADER]};
  private int top = 64;
  private final int[] free = new int[CHUNK_SHIFT + 1];

  /** The array that holds the block. */
  public int[] chunk(int block) {
    return chunks[block >>> CHUNK_SHIFT];
  }

  /** Where the block starts in its array. */
  public static int at(int block) {
    return (block & MASK) + LEAD;
  }

  /** A block of zeros. */
  public int allocate(int log2) {
    int block = free[log2];
    if (block != 0) {
      int[] chunk = chunk(block);
      free[log2] = chunk[at(block)];
      Arrays.fill(chunk, at(block), at(block) + (1 << log2), 0);
      return block;
    }
    int size = 1 << log2;
    int aligned = top + size - 1 & -size;
    if (aligned + size + HEADER + LEAD - 1 >>> CHUNK_SHIFT != top >>> CHUNK_SHIFT) {
      // It does not fit into what is left of this array.
      top = (top | MASK) + 1;
      aligned = top;
    }
    // The gap before the block is cut into pieces that are aligned to their own sizes.
    while (top < aligned) {
      int piece = Integer.numberOfTrailingZeros(top);
      release(top, piece);
      top += 1 << piece;
    }
    if (aligned >>> CHUNK_SHIFT >= chunks.length) {
      addChunk();
    }
    top = aligned + size;
    return aligned;
  }

  /** Gives back a block of that size. */
  public void release(int block, int log2) {
    chunk(block)[at(block)] = free[log2];
    free[log2] = block;
  }

  private void addChunk() {
    if (chunks.length >= 1 << 31 - CHUNK_SHIFT) {
      throw new OutOfMemoryError("the shadow of persistent memory has outgrown 8 GB");
    }
    chunks = Arrays.copyOf(chunks, chunks.length + 1);
    chunks[chunks.length - 1] = new int[CHUNK - HEADER];
  }
}
