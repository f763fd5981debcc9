package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;

/**
 * Records of a word: a block of cells of eight ints, for loads and for windows that are over.
 *
 * <pre>
 *   | index:16 flags:8 mask:8 | lockset | epoch | ... | members:64 | window's site + 1 | count:24 log2:8 |
 * </pre>
 *
 * The last int is in use in the first cell only.
 *
 * <p>A cell speaks of one event of the thread with that index and, where it has other members, of
 * one earlier event each by these threads, all of which happen before that of the cell's thread.
 * For happens-before the last event answers for all. For create/join order a member is only named
 * while its thread has published nothing by create or join: then whoever knows anything of it by
 * that order knows its end, and the epoch does not matter.
 *
 * <p>So a word that eight threads use under its lock has one cell for each site, not eight.
 */
abstract class WordRecords {
  /** Ints in a cell. */
  public static final int CELL = 8;

  /** Threads from this index on are not named as members, and their indices may be reused. */
  static final int MEMBERS = ThreadState.UNIQUE_INDICES;

  /** No cell. */
  static final int NONE = -1;

  static final int LOCKSET = 1;
  static final int EPOCH = 2;
  private static final int CELL_LOG2 = 3;
  private static final int MEMBERS_LOW = 4;
  static final int SITE = 6;
  private static final int META = 7;

  final IntArena arena;

  WordRecords(IntArena arena) {
    this.arena = arena;
  }

  /** Whether the word has no record. */
  public final boolean isEmpty(int[] a, int w) {
    return a[w + Word.RECORDS] == 0;
  }

  /** The array of the cells; meaningless where there are none. */
  public final int[] cells(int[] a, int w) {
    return arena.chunk(a[w + Word.RECORDS]);
  }

  /** Where the first cell is in that array. */
  public final int first(int[] a, int w) {
    return IntArena.at(a[w + Word.RECORDS]);
  }

  /** Where the last cell ends; the same as the first where there are none. */
  public final int end(int[] a, int w) {
    int block = a[w + Word.RECORDS];
    int first = IntArena.at(block);
    return block == 0 ? first : endOf(arena.chunk(block), first);
  }

  /** Where the last of the cells ends, from where the first one is. */
  static int endOf(int[] c, int first) {
    return first + (c[first + META] >>> 8 << CELL_LOG2);
  }

  /** Whether the cell is of a window, not of a load. */
  static boolean isWindow(int[] c, int i) {
    return c[i + SITE] != 0;
  }

  public static int mask(int[] c, int i) {
    return c[i] & 0xff;
  }

  public static int index(int[] c, int i) {
    return c[i] >>> 16;
  }

  public static int lockset(int[] c, int i) {
    return c[i + LOCKSET];
  }

  public static int epoch(int[] c, int i) {
    return c[i + EPOCH];
  }

  /** The members, as bits by index; the cell's own thread may be among them. */
  public static long members(int[] c, int i) {
    return c[i + MEMBERS_LOW] & 0xffffffffL | (long) c[i + MEMBERS_LOW + 1] << 32;
  }

  static void setMembers(int[] c, int i, long members) {
    c[i + MEMBERS_LOW] = (int) members;
    c[i + MEMBERS_LOW + 1] = (int) (members >>> 32);
  }

  /** The thread as a member, or none where it cannot be one. */
  static long member(ThreadState t) {
    return t.index() < MEMBERS && !t.hasPublishedOrder() ? 1L << t.index() : 0;
  }

  /**
   * Whether the thread may take the cell over: it knows the cell's event, and the cell's thread is
   * a member and so will not be forgotten.
   */
  static boolean mayTakeOver(int[] c, int i, ThreadState t) {
    int index = index(c, i);
    return index == t.index()
        || index < MEMBERS && (members(c, i) & 1L << index) != 0 && t.knows(index, c[i + EPOCH]);
  }

  /**
   * Whether an event of the index, later than the cell's and ordered after it, may take it over.
   */
  static boolean mayFollow(int[] c, int i, int index) {
    int last = index(c, i);
    return last == index || last < MEMBERS && (members(c, i) & 1L << last) != 0;
  }

  /** The members of a cell that an event of that index takes over, with members of its own. */
  static long membersAfter(int[] c, int i, int index, long members) {
    long bit = index < MEMBERS ? 1L << index : 0;
    return members(c, i) & ~bit | members;
  }

  /** The thread has an event in the cell that is equal, by create and join, to one now. */
  static boolean isIn(int[] c, int i, ThreadState t) {
    return index(c, i) == t.index() && c[i + EPOCH] > t.orderBase()
        || (members(c, i) & member(t)) != 0;
  }

  static boolean isOnlyOf(int[] c, int i, ThreadState t) {
    return index(c, i) == t.index() && (members(c, i) & ~member(t)) == 0;
  }

  /** A new cell; its place in an array that may be another than before. */
  final int append(int[] a, int w) {
    int block = a[w + Word.RECORDS];
    if (block == 0) {
      block = arena.allocate(CELL_LOG2);
      a[w + Word.RECORDS] = block;
      arena.chunk(block)[IntArena.at(block) + META] = CELL_LOG2;
    }
    int[] c = arena.chunk(block);
    int first = IntArena.at(block);
    int count = c[first + META] >>> 8;
    int log2 = c[first + META] & 0xff;
    if (count == 1 << log2 - CELL_LOG2) {
      int larger = arena.allocate(log2 + 1);
      System.arraycopy(c, first, arena.chunk(larger), IntArena.at(larger), 1 << log2);
      arena.release(block, log2);
      a[w + Word.RECORDS] = larger;
      c = arena.chunk(larger);
      first = IntArena.at(larger);
      log2++;
    }
    c[first + META] = count + 1 << 8 | log2;
    return first + (count << CELL_LOG2);
  }

  /** The last cell takes the place of this one. */
  final void removeAt(int[] a, int w, int i) {
    int[] c = cells(a, w);
    int first = first(a, w);
    int meta = c[first + META] - (1 << 8);
    System.arraycopy(c, first + (meta >>> 8 << CELL_LOG2), c, i, CELL);
    c[first + META] = meta;
    if (meta >>> 8 == 0) {
      arena.release(a[w + Word.RECORDS], meta & 0xff);
      a[w + Word.RECORDS] = 0;
    }
  }
}
