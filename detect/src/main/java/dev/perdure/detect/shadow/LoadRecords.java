package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.ThreadState;
import java.util.function.IntPredicate;

/**
 * The load records of a word: the latest for each (thread, site, lockset), one cell each.
 *
 * <pre>
 *   | origin | lockset | epoch | index:16 mask:8 version:8 |
 * </pre>
 *
 * <p>The version is that of the word when the load was last checked against all windows of the
 * bytes in the mask, or 0. The masks of one thread, site and lockset are disjoint.
 */
public final class LoadRecords {
  /** Ints from one cell to the next. */
  public static final int CELL = CellBlocks.CELL;

  static final int NONE = -1;
  private static final int LOCKSET = 1;
  private static final int EPOCH = 2;
  private static final int PACKED = 3;

  private final CellBlocks blocks;
  private final Origins origins;
  private final LocksetFamily family;

  LoadRecords(IntArena arena, Origins origins, Locksets sets) {
    this.blocks = new CellBlocks(arena, Word.LOADS);
    this.origins = origins;
    this.family = new LocksetFamily(sets);
  }

  public int count(int[] a, int w) {
    return blocks.count(a, w);
  }

  /** The array of the word's cells; meaningless where there are none. */
  public int[] cells(int[] a, int w) {
    return blocks.array(a, w);
  }

  /** Where the first cell is in that array. */
  public int first(int[] a, int w) {
    return blocks.first(a, w);
  }

  /** The lockset of all loads, or -1 where there are several; there is a load. */
  public int commonLockset(int[] a, int w) {
    return blocks.lockset(a, w);
  }

  public static int origin(int[] c, int i) {
    return c[i];
  }

  public static int lockset(int[] c, int i) {
    return c[i + LOCKSET];
  }

  public static int epoch(int[] c, int i) {
    return c[i + EPOCH];
  }

  public static int index(int[] c, int i) {
    return c[i + PACKED] >>> 16;
  }

  public static int mask(int[] c, int i) {
    return c[i + PACKED] >>> 8 & 0xff;
  }

  /**
   * The record of the same bytes that stands for the load, or {@link #NONE}. A record without locks
   * stands for all loads of its thread and site that are equal by create and join: a window that
   * races with one of them races with it.
   */
  int find(int[] a, int w, int mask, int origin, ThreadState t) {
    int n = blocks.count(a, w);
    if (n == 0) {
      return NONE;
    }
    int[] c = blocks.array(a, w);
    int wanted = t.index() << 8 | mask;
    int lockset = t.held().set();
    int first = blocks.first(a, w);
    for (int i = first; i < first + n * CELL; i += CELL) {
      if (c[i + PACKED] >>> 8 == wanted
          && (c[i + LOCKSET] == lockset
              || c[i + LOCKSET] == Locksets.EMPTY && c[i + EPOCH] > t.orderBase())
          && sameSite(c[i], origin)) {
        return i;
      }
    }
    return NONE;
  }

  /** Whether the record was checked against the present windows. */
  boolean isCurrent(int[] a, int w, int i) {
    return (blocks.array(a, w)[i + PACKED] & 0xff) == Word.version(a, w);
  }

  /** The record found stands for a load now, checked against the present windows. */
  void renew(int[] a, int w, int i, int origin, ThreadState t) {
    int[] c = blocks.array(a, w);
    c[i] = origin;
    c[i + EPOCH] = t.clock();
    c[i + PACKED] = c[i + PACKED] & ~0xff | Word.version(a, w);
  }

  private boolean sameSite(int a, int b) {
    return a == b || origins.site(a) == origins.site(b);
  }

  /** Records a load that was just checked; older records of its bytes and kind give way. */
  void put(int[] a, int w, int mask, int origin, ThreadState t) {
    int lockset = t.held().set();
    int version = Word.version(a, w);
    for (int i = last(a, w); i >= first(a, w); i -= CELL) {
      int[] c = blocks.array(a, w);
      if (index(c, i) != t.index() || !sameSite(c[i], origin) || !covers(c, i, mask, lockset, t)) {
        continue;
      }
      int old = mask(c, i);
      lockset = c[i + LOCKSET];
      if (c[i + EPOCH] == t.clock() && (old & mask) == 0) {
        // The same moment, other bytes. Bytes that were not checked now keep it from being current.
        int checked = (c[i + PACKED] & 0xff) == version ? version : 0;
        c[i + PACKED] = t.index() << 16 | (old | mask) << 8 | checked;
        return;
      }
      c[i + PACKED] &= ~(mask << 8);
      if (mask(c, i) == 0) {
        blocks.removeAt(a, w, i);
      }
    }
    lockset = widened(a, w, mask, origin, lockset, t);
    int i = blocks.append(a, w, lockset);
    int[] c = blocks.array(a, w);
    c[i] = origin;
    c[i + LOCKSET] = lockset;
    c[i + EPOCH] = t.clock();
    c[i + PACKED] = t.index() << 16 | mask << 8 | version;
  }

  private int last(int[] a, int w) {
    return first(a, w) + (count(a, w) - 1) * CELL;
  }

  private boolean covers(int[] c, int i, int mask, int lockset, ThreadState t) {
    return c[i + LOCKSET] == lockset
        || (mask & ~mask(c, i)) == 0
            && c[i + EPOCH] > t.orderBase()
            && family.contains(lockset, c[i + LOCKSET]);
  }

  /** The lockset of a new record, after records that it makes needless are removed. */
  private int widened(int[] a, int w, int mask, int origin, int lockset, ThreadState t) {
    if (count(a, w) + 1 < LocksetFamily.DISJOINT) {
      return lockset;
    }
    family.start(lockset);
    for (int i = last(a, w); i >= first(a, w); i -= CELL) {
      if (isRival(blocks.array(a, w), i, mask, origin, t)) {
        family.add(lockset(blocks.array(a, w), i));
      }
    }
    int core = family.core();
    if (core != lockset) {
      for (int i = last(a, w); i >= first(a, w); i -= CELL) {
        if (isRival(blocks.array(a, w), i, mask, origin, t)) {
          blocks.removeAt(a, w, i);
        }
      }
    }
    return core;
  }

  private boolean isRival(int[] c, int i, int mask, int origin, ThreadState t) {
    return index(c, i) == t.index()
        && mask(c, i) == mask
        && c[i + EPOCH] > t.orderBase()
        && sameSite(c[i], origin);
  }

  void remove(int[] a, int w, IntPredicate threadIndex) {
    for (int i = last(a, w); count(a, w) > 0 && i >= first(a, w); i -= CELL) {
      if (threadIndex.test(index(blocks.array(a, w), i))) {
        blocks.removeAt(a, w, i);
      }
    }
    blocks.releaseIfEmpty(a, w);
  }

  /** The version number starts again: no record is current. */
  void forgetVersions(int[] a, int w) {
    for (int i = last(a, w); count(a, w) > 0 && i >= first(a, w); i -= CELL) {
      blocks.array(a, w)[i + PACKED] &= ~0xff;
    }
  }

  void clear(int[] a, int w, int mask) {
    for (int i = last(a, w); count(a, w) > 0 && i >= first(a, w); i -= CELL) {
      int[] c = blocks.array(a, w);
      c[i + PACKED] &= ~(mask << 8);
      if (mask(c, i) == 0) {
        blocks.removeAt(a, w, i);
      }
    }
    blocks.releaseIfEmpty(a, w);
  }

  /** Gives one word of a line what the line's own word has for that eighth of it. */
  void spread(int[] from, int line, int bit, int[] a, int w) {
    for (int k = 0; k < count(from, line); k++) {
      int i = first(from, line) + k * CELL;
      if ((mask(cells(from, line), i) & 1 << bit) != 0) {
        int j = blocks.append(a, w, lockset(cells(from, line), i));
        System.arraycopy(cells(from, line), i, cells(a, w), j, CELL);
        cells(a, w)[j + PACKED] = cells(from, line)[i + PACKED] & 0xffff0000 | 0xff00;
      }
    }
  }
}
