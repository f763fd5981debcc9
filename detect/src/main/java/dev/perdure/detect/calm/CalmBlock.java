package dev.perdure.detect.calm;

import dev.perdure.detect.shadow.IntArena;
import dev.perdure.detect.sync.ThreadState;

/**
 * The layout of what is known of a calm line: a block of ints in the arena, with a key and a cell
 * for each path that visits took. All keys lie together at the front, so that a visit touches few
 * cache lines.
 *
 * <pre>
 *   | lockset | visitor + 1:16 count:8 log2:8 | touched:64 | shared:64 | owners of words: 8 x 16 | keys ... | cells ... |
 *
 *   key    | 0:4 kept:8 path:20 |
 *   cell   | index:16 0:4 length:12 | epoch | order | members:64 | time:64 |
 * </pre>
 *
 * <p>A cell speaks of the last visit by its path, and names the threads that made earlier ones as
 * members, as the records of words do. The time is that of its first step, its length that from
 * there to its end in units of 64 ticks, and the order a number that grows from visit to visit.
 * What is kept of its windows is the number of a mask in a table of its own.
 */
final class CalmBlock {
  /** Two cells. */
  static final int SMALLEST = 5;

  /** 30 cells. */
  static final int LARGEST = 8;

  /** Threads with larger numbers own no word of a calm line. */
  static final int LARGEST_OWNER = 0xffff;

  private static final int LOCKSET = 0;
  private static final int META = 1;
  private static final int TOUCHED = 2;
  private static final int SHARED = 4;
  private static final int OWNERS = 6;
  private static final int KEYS = 10;

  private static final int CELL = 7;
  private static final int EPOCH = 1;
  private static final int ORDER = 2;
  private static final int MEMBERS = 3;
  private static final int TIME = 5;

  private static final int COUNT_SHIFT = 8;
  private static final int VISITOR_SHIFT = 16;
  private static final int TICKS_LOG2 = 6;
  private static final int LONGEST = 0xfff;

  private CalmBlock() {}

  static void begin(int[] a, int b, int lockset) {
    a[b + LOCKSET] = lockset;
    a[b + META] = SMALLEST;
  }

  static int lockset(int[] a, int b) {
    return a[b + LOCKSET];
  }

  static int log2(int[] a, int b) {
    return a[b + META] & 0xff;
  }

  static int count(int[] a, int b) {
    return a[b + META] >>> COUNT_SHIFT & 0xff;
  }

  /** How many keys and cells a block has room for. */
  private static int capacity(int log2) {
    return (1 << log2) - KEYS >>> 3;
  }

  /** The index of the thread that visits the line now, or -1. */
  static int visitor(int[] a, int b) {
    return (a[b + META] >>> VISITOR_SHIFT) - 1;
  }

  static void setVisitor(int[] a, int b, int index) {
    a[b + META] = a[b + META] & 0xffff | index + 1 << VISITOR_SHIFT;
  }

  static long touched(int[] a, int b) {
    return longAt(a, b + TOUCHED);
  }

  static long shared(int[] a, int b) {
    return longAt(a, b + SHARED);
  }

  static void setTouched(int[] a, int b, long bytes) {
    setLong(a, b + TOUCHED, bytes);
  }

  static void setShared(int[] a, int b, long bytes) {
    setLong(a, b + SHARED, bytes);
  }

  /** The thread that the private bytes of a word belong to. */
  static int owner(int[] a, int b, int position) {
    return a[b + OWNERS + (position >>> 1)] >>> 16 * (position & 1) & 0xffff;
  }

  static void setOwner(int[] a, int b, int position, int thread) {
    int i = b + OWNERS + (position >>> 1);
    int shift = 16 * (position & 1);
    a[i] = a[i] & ~(0xffff << shift) | thread << shift;
  }

  static int key(int path, int kept) {
    return kept << VisitPaths.NODE_BITS | path;
  }

  /** The number of the cell of a key that the thread may take over, or -1. */
  static int find(int[] a, int b, int key, ThreadState t) {
    for (int i = 0, count = count(a, b); i < count; i++) {
      if (a[b + KEYS + i] == key && mayTakeOver(a, cell(a, b, i), t.index())) {
        return i;
      }
    }
    return -1;
  }

  private static boolean mayTakeOver(int[] a, int c, int index) {
    int last = index(a, c);
    return last == index || last < ThreadState.UNIQUE_INDICES && (members(a, c) & 1L << last) != 0;
  }

  /** Whether there is room for a further cell. */
  static boolean hasRoom(int[] a, int b) {
    return count(a, b) < capacity(log2(a, b));
  }

  /** Adds a cell that no thread has made yet; returns its number. */
  static int add(int[] a, int b, int key) {
    int i = count(a, b);
    a[b + KEYS + i] = key;
    a[b + META] += 1 << COUNT_SHIFT;
    setLong(a, cell(a, b, i) + MEMBERS, 0);
    return i;
  }

  /** Where the cell of that number is. */
  static int cell(int[] a, int b, int i) {
    return b + KEYS + capacity(log2(a, b)) + CELL * i;
  }

  /** The cell is of a visit that the thread makes now. */
  static void set(int[] a, int c, ThreadState t, int order, long first, long last) {
    long bit = t.index() < ThreadState.UNIQUE_INDICES ? 1L << t.index() : 0;
    long others = members(a, c) & ~bit;
    setLong(a, c + MEMBERS, t.hasPublishedOrder() ? others : others | bit);
    a[c] = t.index() << 16 | (int) Math.min(LONGEST, Math.max(0, last - first) >>> TICKS_LOG2);
    a[c + EPOCH] = t.clock();
    a[c + ORDER] = order;
    setLong(a, c + TIME, first);
  }

  static int path(int[] a, int b, int i) {
    return a[b + KEYS + i] & (1 << VisitPaths.NODE_BITS) - 1;
  }

  static int kept(int[] a, int b, int i) {
    return a[b + KEYS + i] >>> VisitPaths.NODE_BITS;
  }

  static int index(int[] a, int c) {
    return a[c] >>> 16;
  }

  static int epoch(int[] a, int c) {
    return a[c + EPOCH];
  }

  static int order(int[] a, int c) {
    return a[c + ORDER];
  }

  static long members(int[] a, int c) {
    return longAt(a, c + MEMBERS);
  }

  static long time(int[] a, int c) {
    return longAt(a, c + TIME);
  }

  static long endTime(int[] a, int c) {
    return time(a, c) + ((long) (a[c] & LONGEST) << TICKS_LOG2);
  }

  /** A block of twice the size with the same content; the old one is given back. */
  static int grow(IntArena arena, int block) {
    int[] a = arena.chunk(block);
    int b = IntArena.at(block);
    int log2 = log2(a, b);
    int count = count(a, b);
    int larger = arena.allocate(log2 + 1);
    int[] to = arena.chunk(larger);
    int t = IntArena.at(larger);
    System.arraycopy(a, b, to, t, KEYS + count);
    to[t + META]++;
    System.arraycopy(a, cell(a, b, 0), to, cell(to, t, 0), CELL * count);
    arena.release(block, log2);
    return larger;
  }

  private static long longAt(int[] a, int i) {
    return a[i] & 0xffffffffL | (long) a[i + 1] << 32;
  }

  private static void setLong(int[] a, int i, long value) {
    a[i] = (int) value;
    a[i + 1] = (int) (value >>> 32);
  }
}
