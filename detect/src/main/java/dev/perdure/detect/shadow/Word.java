package dev.perdure.detect.shadow;

/**
 * The layout of one shadow word: eight ints in the arena.
 *
 * <pre>
 *   0       1        2      3       4                              5        6            7
 *   | loads | closed | open | owner | flags version shared touched | owners | load count | closed count |
 * </pre>
 *
 * <p>A word stands for 8 bytes of memory, and bit i of every mask for byte i. A line that was only
 * ever accessed as a whole has a single word for its 64 bytes, and then bit i stands for bytes 8i
 * to 8i+7; it is spread out to eight words by the first access of another shape.
 */
public final class Word {
  public static final int INTS = 8;
  public static final int LOG2 = 3;

  static final int LOADS = 0;
  static final int CLOSED = 1;
  static final int OPEN = 2;
  static final int OWNER = 3;
  static final int MASKS = 4;
  static final int OWNERS = 5;
  static final int LOAD_COUNT = 6;
  static final int CLOSED_COUNT = 7;

  static final int SHARED_SHIFT = 8;
  static final int VERSION_SHIFT = 16;
  static final int VERSION_LIMIT = 255;

  /** Atomic locations lie in this word: stores to it matter for synchronisation. */
  static final int ATOMIC = 1 << 24;

  private Word() {}

  public static int touched(int[] a, int w) {
    return a[w + MASKS] & 0xff;
  }

  public static int shared(int[] a, int w) {
    return a[w + MASKS] >>> SHARED_SHIFT & 0xff;
  }

  /** The first open window, 0 for none. */
  public static int open(int[] a, int w) {
    return a[w + OPEN];
  }

  public static boolean isAtomic(int[] a, int w) {
    return (a[w + MASKS] & ATOMIC) != 0;
  }

  public static void markAtomic(int[] a, int w) {
    a[w + MASKS] |= ATOMIC;
  }

  /** Changes with every new window, so that a load can tell that it has seen all of them. */
  static int version(int[] a, int w) {
    return a[w + MASKS] >>> VERSION_SHIFT & 0xff;
  }
}
