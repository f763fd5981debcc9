package dev.perdure.detect.calm;

import dev.perdure.detect.shadow.IntArena;
import dev.perdure.detect.sync.ThreadState;

/**
 * The layout of what is known of a calm line: a block of ints in the arena, whose first 16 are one
 * cache line, and then a cell of eight ints for each path that visits took.
 *
 * <pre>
 *   | lockset | count:24 log2:8 | visitor + 1 | 0 | touched:64 | shared:64 | owner of each word: 8 |
 *
 *   | index:16 0:8 kept:8 | length:12 path:20 | epoch | order | members:64 | time:64 |
 * </pre>
 *
 * <p>A cell speaks of the last visit by that path, and names the threads that made earlier ones as
 * members, as the records of words do. The time is that of its first store, its length that from
 * there to its end in units of 64 ticks, and the order a number that grows from visit to visit.
 * What is kept of its windows is the number of a mask in a table of its own.
 */
final class CalmBlock {
  static final int CELL = 8;
  static final int HEADER = 16;

  /** Header and two cells. */
  static final int SMALLEST = 5;

  /** Header and 30 cells. */
  static final int LARGEST = 8;

  private static final int LOCKSET = 0;
  private static final int META = 1;
  private static final int VISITOR = 2;
  private static final int TOUCHED = 4;
  private static final int SHARED = 6;
  private static final int OWNERS = 8;

  private static final int PATH = 1;
  private static final int EPOCH = 2;
  private static final int ORDER = 3;
  private static final int MEMBERS = 4;
  private static final int TIME = 6;

  private static final int PATH_MASK = (1 << VisitPaths.NODE_BITS) - 1;
  private static final int TICKS_LOG2 = 6;
  private static final int LONGEST = (1 << 32 - VisitPaths.NODE_BITS) - 1;

  private CalmBlock() {}

  static void begin(int[] a, int b, int log2, int lockset) {
    a[b + LOCKSET] = lockset;
    a[b + META] = log2;
  }

  static int lockset(int[] a, int b) {
    return a[b + LOCKSET];
  }

  static int log2(int[] a, int b) {
    return a[b + META] & 0xff;
  }

  static int count(int[] a, int b) {
    return a[b + META] >>> 8;
  }

  /** The index of the thread that visits the line now, or -1. */
  static int visitor(int[] a, int b) {
    return a[b + VISITOR] - 1;
  }

  static void setVisitor(int[] a, int b, int index) {
    a[b + VISITOR] = index + 1;
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
    return a[b + OWNERS + position];
  }

  static void setOwner(int[] a, int b, int position, int thread) {
    a[b + OWNERS + position] = thread;
  }

  /** Where the cell of a path is that the thread may take over, or -1. */
  static int find(int[] a, int b, int path, int kept, ThreadState t) {
    int index = t.index();
    for (int c = b + HEADER, end = c + CELL * count(a, b); c < end; c += CELL) {
      if ((a[c + PATH] & PATH_MASK) == path && (a[c] & 0xff) == kept) {
        int last = a[c] >>> 16;
        if (last == index
            || last < ThreadState.UNIQUE_INDICES && (members(a, c) & 1L << last) != 0) {
          return c;
        }
      }
    }
    return -1;
  }

  /** Whether there is room for a further cell. */
  static boolean hasRoom(int[] a, int b) {
    return HEADER + CELL * (count(a, b) + 1) <= 1 << log2(a, b);
  }

  /** Adds a cell that no thread has made yet. */
  static int add(int[] a, int b) {
    int c = b + HEADER + CELL * count(a, b);
    a[b + META] += 1 << 8;
    setLong(a, c + MEMBERS, 0);
    return c;
  }

  /** The cell is of a visit that the thread makes now. */
  static void set(int[] a, int c, ThreadState t, int path, int kept, int order) {
    long bit = t.index() < ThreadState.UNIQUE_INDICES ? 1L << t.index() : 0;
    long others = members(a, c) & ~bit;
    setLong(a, c + MEMBERS, t.hasPublishedOrder() ? others : others | bit);
    a[c] = t.index() << 16 | kept;
    a[c + PATH] = path;
    a[c + EPOCH] = t.clock();
    a[c + ORDER] = order;
  }

  static void setTimes(int[] a, int c, long first, long last) {
    setLong(a, c + TIME, first);
    long length = Math.min(LONGEST, Math.max(0, last - first) >>> TICKS_LOG2);
    a[c + PATH] = a[c + PATH] & PATH_MASK | (int) length << VisitPaths.NODE_BITS;
  }

  static int index(int[] a, int c) {
    return a[c] >>> 16;
  }

  static int kept(int[] a, int c) {
    return a[c] & 0xff;
  }

  static int path(int[] a, int c) {
    return a[c + PATH] & PATH_MASK;
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
    return time(a, c) + ((long) (a[c + PATH] >>> VisitPaths.NODE_BITS) << TICKS_LOG2);
  }

  /** A block of twice the size with the same content; the old one is given back. */
  static int grow(IntArena arena, int block) {
    int[] a = arena.chunk(block);
    int b = IntArena.at(block);
    int log2 = log2(a, b);
    int larger = arena.allocate(log2 + 1);
    int[] to = arena.chunk(larger);
    System.arraycopy(a, b, to, IntArena.at(larger), 1 << log2);
    to[IntArena.at(larger) + META]++;
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
