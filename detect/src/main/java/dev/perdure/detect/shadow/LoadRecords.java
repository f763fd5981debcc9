package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.ThreadState;
import java.util.function.IntPredicate;

/**
 * The load records of a word: the latest for each (thread, site, lockset), in one block of cells of
 * four ints.
 *
 * <pre>
 *   | origin | lockset | epoch | index:16 mask:8 version:8 |
 * </pre>
 *
 * The version is that of the word when the load was last checked against all windows of the bytes
 * in the mask, or 0.
 */
public final class LoadRecords {
  static final int LOG2 = 2;
  private static final int LOCKSET = 1;
  private static final int EPOCH = 2;
  private static final int PACKED = 3;

  private final IntArena arena;
  private final Origins origins;
  private final LocksetFamily family;

  LoadRecords(IntArena arena, Origins origins, Locksets sets) {
    this.arena = arena;
    this.origins = origins;
    this.family = new LocksetFamily(sets);
  }

  public int count(int[] a, int w) {
    return a[w + Word.LOAD_COUNT];
  }

  /** The array of the word's cells; meaningless where there are none. */
  public int[] cells(int[] a, int w) {
    return arena.chunk(a[w + Word.LOADS]);
  }

  /** Where cell i is in that array. */
  public int cell(int[] a, int w, int i) {
    return IntArena.at(a[w + Word.LOADS]) + (i << LOG2);
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
   * Whether the same load was already checked against the present windows; its record is brought up
   * to date then. A record with fewer locks stands for all of the thread's loads at its site that
   * are equal by create and join: a window that races with one of them races with it.
   */
  boolean refresh(int[] a, int w, int mask, int origin, ThreadState t) {
    int n = a[w + Word.LOAD_COUNT];
    if (n == 0) {
      return false;
    }
    int[] c = arena.chunk(a[w + Word.LOADS]);
    int wanted = t.index() << 16 | mask << 8 | Word.version(a, w);
    int lockset = t.held().set();
    int end = IntArena.at(a[w + Word.LOADS]) + (n << LOG2);
    for (int i = end - (n << LOG2); i < end; i += 1 << LOG2) {
      if (c[i + PACKED] == wanted && stands(c, i, lockset, t) && sameSite(c[i], origin)) {
        c[i] = origin;
        c[i + EPOCH] = t.clock();
        return true;
      }
    }
    return false;
  }

  private boolean stands(int[] c, int i, int lockset, ThreadState t) {
    return c[i + LOCKSET] == lockset
        || c[i + LOCKSET] == Locksets.EMPTY && c[i + EPOCH] > t.orderBase();
  }

  private boolean sameSite(int a, int b) {
    return a == b || origins.site(a) == origins.site(b);
  }

  /** Records a load that was just checked; older records of its bytes and kind give way. */
  void put(int[] a, int w, int mask, int origin, ThreadState t) {
    int lockset = t.held().set();
    int version = Word.version(a, w);
    int[] c = arena.chunk(a[w + Word.LOADS]);
    int start = IntArena.at(a[w + Word.LOADS]);
    for (int k = 0; k < a[w + Word.LOAD_COUNT]; k++) {
      int i = start + (k << LOG2);
      int packed = c[i + PACKED];
      int old = packed >>> 8 & 0xff;
      if (packed >>> 16 != t.index()
          || !sameSite(c[i], origin)
          || !covers(c, i, mask, lockset, t)) {
        continue;
      }
      lockset = c[i + LOCKSET];
      if ((old & ~mask) == 0 || c[i + EPOCH] == t.clock()) {
        // Bytes that were not part of this check keep the record from being current.
        int checked = (old & ~mask) == 0 || (packed & 0xff) == version ? version : 0;
        c[i] = origin;
        c[i + EPOCH] = t.clock();
        c[i + PACKED] = t.index() << 16 | (old | mask) << 8 | checked;
        removeOthers(a, w, c, start, k, mask, lockset, origin, t);
        return;
      }
      c[i + PACKED] = packed & ~(mask << 8);
    }
    dropEmpty(a, w);
    lockset = widened(a, w, mask, origin, lockset, t);
    append(a, w);
    c = cells(a, w);
    int i = cell(a, w, a[w + Word.LOAD_COUNT] - 1);
    c[i] = origin;
    c[i + LOCKSET] = lockset;
    c[i + EPOCH] = t.clock();
    c[i + PACKED] = t.index() << 16 | mask << 8 | version;
  }

  private boolean covers(int[] c, int i, int mask, int lockset, ThreadState t) {
    return c[i + LOCKSET] == lockset
        || (mask & ~mask(c, i)) == 0
            && c[i + EPOCH] > t.orderBase()
            && family.contains(lockset, c[i + LOCKSET]);
  }

  private void removeOthers(
      int[] a, int w, int[] c, int start, int kept, int mask, int set, int origin, ThreadState t) {
    for (int k = 0; k < a[w + Word.LOAD_COUNT]; k++) {
      int i = start + (k << LOG2);
      if (k != kept
          && (c[i + PACKED] & mask << 8) != 0
          && c[i + PACKED] >>> 16 == t.index()
          && c[i + LOCKSET] == set
          && sameSite(c[i], origin)) {
        c[i + PACKED] &= ~(mask << 8);
      }
    }
    dropEmpty(a, w);
  }

  /** The lockset of a new record, after records that it makes needless are removed. */
  private int widened(int[] a, int w, int mask, int origin, int lockset, ThreadState t) {
    family.start(lockset);
    for (int k = 0; k < a[w + Word.LOAD_COUNT]; k++) {
      int[] c = cells(a, w);
      int i = cell(a, w, k);
      if (isRival(c, i, mask, origin, t)) {
        family.add(lockset(c, i));
      }
    }
    int core = family.core();
    if (core != lockset) {
      for (int k = a[w + Word.LOAD_COUNT] - 1; k >= 0; k--) {
        if (isRival(cells(a, w), cell(a, w, k), mask, origin, t)) {
          removeAt(a, w, k);
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

  private void removeAt(int[] a, int w, int k) {
    int[] c = arena.chunk(a[w + Word.LOADS]);
    int last = --a[w + Word.LOAD_COUNT];
    int from = IntArena.at(a[w + Word.LOADS]) + (last << LOG2);
    int to = IntArena.at(a[w + Word.LOADS]) + (k << LOG2);
    System.arraycopy(c, from, c, to, 1 << LOG2);
  }

  private void append(int[] a, int w) {
    a[w + Word.LOADS] = arena.grow(a[w + Word.LOADS], a[w + Word.LOAD_COUNT]++, LOG2);
  }

  private void dropEmpty(int[] a, int w) {
    for (int k = a[w + Word.LOAD_COUNT] - 1; k >= 0; k--) {
      if (mask(cells(a, w), cell(a, w, k)) == 0) {
        removeAt(a, w, k);
      }
    }
  }

  void remove(int[] a, int w, IntPredicate threadIndex) {
    for (int k = a[w + Word.LOAD_COUNT] - 1; k >= 0; k--) {
      if (threadIndex.test(index(cells(a, w), cell(a, w, k)))) {
        removeAt(a, w, k);
      }
    }
  }

  /** The version number starts again: no record is current. */
  void forgetVersions(int[] a, int w) {
    int[] c = arena.chunk(a[w + Word.LOADS]);
    for (int k = 0; k < a[w + Word.LOAD_COUNT]; k++) {
      c[cell(a, w, k) + PACKED] &= ~0xff;
    }
  }

  void clear(int[] a, int w, int mask) {
    int[] c = arena.chunk(a[w + Word.LOADS]);
    for (int k = 0; k < a[w + Word.LOAD_COUNT]; k++) {
      c[cell(a, w, k) + PACKED] &= ~(mask << 8);
    }
    dropEmpty(a, w);
    if (a[w + Word.LOAD_COUNT] == 0 && a[w + Word.LOADS] != 0) {
      arena.release(a[w + Word.LOADS]);
      a[w + Word.LOADS] = 0;
    }
  }

  /** Gives one word of a line what the line's own word has for that eighth of it. */
  void spread(int[] from, int line, int bit, int[] a, int w) {
    for (int k = 0; k < from[line + Word.LOAD_COUNT]; k++) {
      int[] c = cells(from, line);
      int i = cell(from, line, k);
      if ((mask(c, i) & 1 << bit) != 0) {
        append(a, w);
        int[] target = cells(a, w);
        int j = cell(a, w, a[w + Word.LOAD_COUNT] - 1);
        System.arraycopy(c, i, target, j, 1 << LOG2);
        target[j + PACKED] = c[i + PACKED] & 0xffff0000 | 0xff00;
      }
    }
  }
}
