package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;

/**
 * The layout of one shadow word: eight ints in the arena.
 *
 * <pre>
 *   0       1        2      3                 4                              5             6 and 7
 *   | loads | closed | open | owner or owners | flags version shared touched | end:16 load:16 | epochs |
 * </pre>
 *
 * <p>A word stands for 8 bytes of memory, and bit i of every mask for byte i. A line that was only
 * ever accessed as a whole has a single word for its 64 bytes, and then bit i stands for bytes 8i
 * to 8i+7; it is spread out to eight words by the first access of another shape.
 *
 * <p>The last three ints are two frontiers: an event that all loads on record happen before, or
 * are, and the same for the ends of all windows on record. Where accesses are well synchronised
 * there is always such an event, and one comparison with it answers for all records.
 */
public final class Word {
  static final int INTS = 8;
  static final int LOG2 = 3;

  static final int LOADS = 0;
  static final int CLOSED = 1;
  static final int OPEN = 2;
  static final int OWNER = 3;
  static final int MASKS = 4;
  private static final int FRONTIERS = 5;
  private static final int LOAD_EPOCH = 6;
  private static final int END_EPOCH = 7;

  static final int SHARED_SHIFT = 8;
  static final int VERSION_SHIFT = 16;
  static final int VERSION_LIMIT = 255;

  /** Atomic locations lie in this word: stores to it matter for synchronisation. */
  static final int ATOMIC = 1 << 24;

  /** The private bytes have several owners: they are in a block of their own. */
  static final int SPLIT = 1 << 25;

  private Word() {}

  static int touched(int[] a, int w) {
    return a[w + MASKS] & 0xff;
  }

  static int shared(int[] a, int w) {
    return a[w + MASKS] >>> SHARED_SHIFT & 0xff;
  }

  /** The first open window, 0 for none. */
  public static int open(int[] a, int w) {
    return a[w + OPEN];
  }

  static boolean isAtomic(int[] a, int w) {
    return (a[w + MASKS] & ATOMIC) != 0;
  }

  static void markAtomic(int[] a, int w) {
    a[w + MASKS] |= ATOMIC;
  }

  /** Changes with every new window, so that a load can tell that it has seen all of them. */
  static int version(int[] a, int w) {
    return a[w + MASKS] >>> VERSION_SHIFT & 0xff;
  }

  /** Whether all loads on record happen before what the thread does now, as far as is known. */
  public static boolean loadsAreBefore(int[] a, int w, ThreadState t) {
    return a[w + LOAD_EPOCH] != 0 && t.knows(a[w + FRONTIERS] & 0xffff, a[w + LOAD_EPOCH]);
  }

  /** The thread knows all loads on record; one that it makes now may be the latest. */
  public static void setLoadFrontier(int[] a, int w, ThreadState t) {
    a[w + FRONTIERS] = a[w + FRONTIERS] & 0xffff0000 | t.index();
    a[w + LOAD_EPOCH] = t.clock();
  }

  static void clearLoadFrontier(int[] a, int w) {
    a[w + LOAD_EPOCH] = 0;
  }

  /** Whether all windows on record ended before what the thread does now, as far as is known. */
  public static boolean endsAreBefore(int[] a, int w, ThreadState t) {
    return a[w + END_EPOCH] != 0 && t.knows(a[w + FRONTIERS] >>> 16, a[w + END_EPOCH]);
  }

  static void setEndFrontier(int[] a, int w, ThreadState t) {
    a[w + FRONTIERS] = a[w + FRONTIERS] & 0xffff | t.index() << 16;
    a[w + END_EPOCH] = t.clock();
  }

  static void clearEndFrontier(int[] a, int w) {
    a[w + END_EPOCH] = 0;
  }

  /** What a word of a line takes over from the line's own word, besides records and masks. */
  static void inherit(int[] from, int line, int[] a, int w) {
    System.arraycopy(from, line + FRONTIERS, a, w + FRONTIERS, 3);
  }
}
