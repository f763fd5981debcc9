package dev.perdure.detect.shadow;

/**
 * The layout of one shadow word: four ints in the arena.
 *
 * <pre>
 *   | records | open | owner or owners | line's open words:8 flags:3 version:5 shared:8 touched:8 |
 * </pre>
 *
 * <p>A word stands for 8 bytes of memory, and bit i of every mask for byte i. A line that was only
 * ever accessed as a whole has a single word for its 64 bytes, and then bit i stands for bytes 8i
 * to 8i+7; it is spread out to eight words by the first access of another shape.
 */
public final class Word {
  static final int INTS = 4;
  static final int LOG2 = 2;

  /** Eight words. */
  static final int LINE_LOG2 = LOG2 + 3;

  static final int RECORDS = 0;
  static final int OPEN = 1;
  static final int OWNER = 2;
  static final int MASKS = 3;

  static final int SHARED_SHIFT = 8;
  static final int VERSION_SHIFT = 16;
  static final int VERSION_LIMIT = 31;

  /** Atomic locations lie in this word: stores to it matter for synchronisation. */
  static final int ATOMIC = 1 << 21;

  /** The private bytes have several owners: they are in a block of their own. */
  static final int SPLIT = 1 << 22;

  /** The word stands for a whole line. */
  static final int WHOLE_LINE = 1 << 23;

  /** In the first word of a line: which of its words have open windows. */
  private static final int LINE_OPEN_SHIFT = 24;

  private Word() {}

  static int touched(int[] a, int w) {
    return a[w + MASKS] & 0xff;
  }

  static int shared(int[] a, int w) {
    return a[w + MASKS] >>> SHARED_SHIFT & 0xff;
  }

  /** Whether all bytes belong to the one owner that the word names, and are no atomic location. */
  static boolean isPrivate(int[] a, int w) {
    return (a[w + MASKS] & (ATOMIC | SPLIT | 0xff << SHARED_SHIFT | 0xff)) == 0xff;
  }

  /** Whether no byte was touched, and none is an atomic location. */
  static boolean isUntouched(int[] a, int w) {
    return (a[w + MASKS] & (ATOMIC | SPLIT | 0xff << SHARED_SHIFT | 0xff)) == 0;
  }

  /** Whether nothing is known but who has touched which bytes, with one owner at the most. */
  static boolean isUneventful(int[] a, int w) {
    return (a[w + RECORDS] | a[w + OPEN] | a[w + MASKS] & (ATOMIC | SPLIT)) == 0;
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
    return a[w + MASKS] >>> VERSION_SHIFT & VERSION_LIMIT;
  }

  /** How many bytes a bit of the word's masks stands for. */
  public static int granule(int[] a, int w) {
    return (a[w + MASKS] & WHOLE_LINE) != 0 ? 8 : 1;
  }

  static void setVersion(int[] a, int w, int version) {
    a[w + MASKS] = a[w + MASKS] & ~(VERSION_LIMIT << VERSION_SHIFT) | version << VERSION_SHIFT;
  }

  /** The word of an address in the block of its line. */
  static int inLine(int block, long address) {
    return block + ((int) address >>> 3 - LOG2 & 7 << LOG2);
  }

  /** Which words of a line have open windows, from its first word. */
  static int lineOpen(int[] a, int first) {
    return a[first + MASKS] >>> LINE_OPEN_SHIFT;
  }

  /** The word has its first window, or its last one is over. */
  static void markOpen(int[] a, int w, int word, boolean open) {
    boolean whole = (a[w + MASKS] & WHOLE_LINE) != 0;
    int position = whole ? 0 : word >>> LOG2 & 7;
    int i = w - position * INTS + MASKS;
    int bit = 1 << LINE_OPEN_SHIFT + position;
    a[i] = open ? a[i] | bit : a[i] & ~bit;
  }
}
