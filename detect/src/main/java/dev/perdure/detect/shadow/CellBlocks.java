package dev.perdure.detect.shadow;

/**
 * Records of a word in one block: a header, then cells, all of four ints. The header tells how many
 * cells there are and, if it is the same for all, their lockset.
 *
 * <pre>
 *   | count | lockset | - | - | cell 0 | cell 1 | ...
 * </pre>
 */
final class CellBlocks {
  /** Ints in a cell, and in the header. */
  static final int CELL = 4;

  /** In place of a lockset: there are several. */
  static final int MIXED = -1;

  private static final int LOG2 = 2;
  private static final int LOCKSET = 1;

  private final IntArena arena;
  private final int field;

  /** The field of a word that holds its block. */
  CellBlocks(IntArena arena, int field) {
    this.arena = arena;
    this.field = field;
  }

  int count(int[] a, int w) {
    int block = a[w + field];
    return block == 0 ? 0 : arena.chunk(block)[IntArena.at(block)];
  }

  /** The array of the cells; meaningless where there are none. */
  int[] array(int[] a, int w) {
    return arena.chunk(a[w + field]);
  }

  /** Where the first cell is in that array. */
  int first(int[] a, int w) {
    return IntArena.at(a[w + field]) + CELL;
  }

  /** The lockset that all cells have, or {@link #MIXED}. */
  int lockset(int[] a, int w) {
    int block = a[w + field];
    return arena.chunk(block)[IntArena.at(block) + LOCKSET];
  }

  /** Adds a cell with that lockset and returns where it is in the array, which may be another. */
  int append(int[] a, int w, int lockset) {
    int block = a[w + field];
    if (block == 0) {
      block = arena.allocate(LOG2 + 1);
      a[w + field] = block;
      arena.chunk(block)[IntArena.at(block) + LOCKSET] = lockset;
    } else {
      int log2 = arena.log2(block);
      int used = arena.chunk(block)[IntArena.at(block)] + 2 << LOG2;
      if (used > 1 << log2) {
        block = arena.grow(block);
        a[w + field] = block;
      }
    }
    int[] c = arena.chunk(block);
    int header = IntArena.at(block);
    int count = c[header]++;
    if (c[header + LOCKSET] != lockset) {
      c[header + LOCKSET] = count == 0 ? lockset : MIXED;
    }
    return header + (count + 1 << LOG2);
  }

  /** The last cell takes the place of this one. */
  void removeAt(int[] a, int w, int i) {
    int[] c = array(a, w);
    int header = IntArena.at(a[w + field]);
    System.arraycopy(c, header + (c[header]-- << LOG2), c, i, CELL);
  }

  void releaseIfEmpty(int[] a, int w) {
    if (a[w + field] != 0 && count(a, w) == 0) {
      arena.release(a[w + field]);
      a[w + field] = 0;
    }
  }
}
