package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.detect.sync.Threads;
import java.util.function.IntPredicate;

/**
 * The windows of a word that are over: the latest for each (store thread, store site, end thread,
 * effective lockset, overwritten or persisted), in one block of cells of eight ints.
 *
 * <pre>
 *   | site | index:16 mask:8 overwritten:8 | store epoch | end epoch | lockset | end index | window | - |
 * </pre>
 */
public final class ClosedWindows {
  private static final int LOG2 = 3;
  private static final int PACKED = 1;
  private static final int EPOCH = 2;
  private static final int END_EPOCH = 3;
  private static final int LOCKSET = 4;
  private static final int END_INDEX = 5;
  private static final int WINDOW = 6;

  private final IntArena arena;
  private final Windows windows;
  private final Origins origins;
  private final Threads threads;
  private final LocksetFamily family;

  ClosedWindows(IntArena arena, Windows windows, Origins origins, Threads threads, Locksets sets) {
    this.arena = arena;
    this.windows = windows;
    this.origins = origins;
    this.threads = threads;
    this.family = new LocksetFamily(sets);
  }

  public int count(int[] a, int w) {
    return a[w + Word.CLOSED_COUNT];
  }

  /** The array of the word's cells; meaningless where there are none. */
  public int[] cells(int[] a, int w) {
    return arena.chunk(a[w + Word.CLOSED]);
  }

  /** Where cell i is in that array. */
  public int cell(int[] a, int w, int i) {
    return IntArena.at(a[w + Word.CLOSED]) + (i << LOG2);
  }

  public static int site(int[] c, int i) {
    return c[i];
  }

  public static int index(int[] c, int i) {
    return c[i + PACKED] >>> 16;
  }

  public static int mask(int[] c, int i) {
    return c[i + PACKED] >>> 8 & 0xff;
  }

  public static int epoch(int[] c, int i) {
    return c[i + EPOCH];
  }

  public static int endEpoch(int[] c, int i) {
    return c[i + END_EPOCH];
  }

  public static int endIndex(int[] c, int i) {
    return c[i + END_INDEX];
  }

  /** The effective lockset. */
  public static int lockset(int[] c, int i) {
    return c[i + LOCKSET];
  }

  public static int window(int[] c, int i) {
    return c[i + WINDOW];
  }

  /** Adds a window that its record says is closed, by the thread that ended it. */
  void put(int[] a, int w, int window, int lockset, ThreadState ender) {
    int site = origins.site(windows.origin(window));
    int kind = kind(window);
    int mask = windows.mask(window);
    for (int k = a[w + Word.CLOSED_COUNT] - 1; k >= 0; k--) {
      int[] c = cells(a, w);
      int i = cell(a, w, k);
      if (!isLike(c, i, site, kind, window, ender)
          || c[i + LOCKSET] != lockset
              && ((mask & ~mask(c, i)) != 0
                  || c[i + END_EPOCH] <= ender.orderBase()
                  || !family.contains(lockset, c[i + LOCKSET]))) {
        continue;
      }
      if (c[i + END_EPOCH] == windows.endEpoch(window)) {
        c[i + PACKED] |= mask << 8;
        windows.release(window);
        return;
      }
      lockset = c[i + LOCKSET];
      c[i + PACKED] &= ~(mask << 8);
      if (mask(c, i) == 0) {
        removeAt(a, w, k);
      }
    }
    lockset = widened(a, w, window, site, kind, lockset, ender);
    append(a, w);
    int[] c = cells(a, w);
    int i = cell(a, w, a[w + Word.CLOSED_COUNT] - 1);
    c[i] = site;
    c[i + PACKED] = kind | mask << 8;
    c[i + EPOCH] = windows.epoch(window);
    c[i + END_EPOCH] = windows.endEpoch(window);
    c[i + LOCKSET] = lockset;
    c[i + END_INDEX] = windows.endIndex(window);
    c[i + WINDOW] = window;
  }

  private int kind(int window) {
    return windows.index(window) << 16 | (windows.is(window, Windows.OVERWRITTEN) ? 1 : 0);
  }

  private boolean isLike(int[] c, int i, int site, int kind, int window, ThreadState ender) {
    return c[i] == site
        && (c[i + PACKED] & 0xffff00ff) == kind
        && c[i + END_INDEX] == ender.index()
        && threads.sameThread(index(c, i), c[i + EPOCH], windows.epoch(window));
  }

  private int widened(
      int[] a, int w, int window, int site, int kind, int lockset, ThreadState ender) {
    family.start(lockset);
    for (int k = 0; k < a[w + Word.CLOSED_COUNT]; k++) {
      int[] c = cells(a, w);
      int i = cell(a, w, k);
      if (isRival(c, i, site, kind, window, ender)) {
        family.add(c[i + LOCKSET]);
      }
    }
    int core = family.core();
    if (core != lockset) {
      for (int k = a[w + Word.CLOSED_COUNT] - 1; k >= 0; k--) {
        if (isRival(cells(a, w), cell(a, w, k), site, kind, window, ender)) {
          removeAt(a, w, k);
        }
      }
    }
    return core;
  }

  private boolean isRival(int[] c, int i, int site, int kind, int window, ThreadState ender) {
    return isLike(c, i, site, kind, window, ender)
        && mask(c, i) == windows.mask(window)
        && c[i + END_EPOCH] > ender.orderBase();
  }

  private void append(int[] a, int w) {
    a[w + Word.CLOSED] = arena.grow(a[w + Word.CLOSED], a[w + Word.CLOSED_COUNT]++, LOG2);
  }

  private void removeAt(int[] a, int w, int k) {
    int[] c = cells(a, w);
    windows.release(c[cell(a, w, k) + WINDOW]);
    int last = --a[w + Word.CLOSED_COUNT];
    System.arraycopy(c, cell(a, w, last), c, cell(a, w, k), 1 << LOG2);
  }

  void remove(int[] a, int w, IntPredicate threadIndex) {
    for (int k = a[w + Word.CLOSED_COUNT] - 1; k >= 0; k--) {
      if (threadIndex.test(index(cells(a, w), cell(a, w, k)))) {
        removeAt(a, w, k);
      }
    }
  }

  void clear(int[] a, int w, int mask) {
    for (int k = a[w + Word.CLOSED_COUNT] - 1; k >= 0; k--) {
      int[] c = cells(a, w);
      c[cell(a, w, k) + PACKED] &= ~(mask << 8);
      if (mask(c, cell(a, w, k)) == 0) {
        removeAt(a, w, k);
      }
    }
    if (a[w + Word.CLOSED_COUNT] == 0 && a[w + Word.CLOSED] != 0) {
      arena.release(a[w + Word.CLOSED]);
      a[w + Word.CLOSED] = 0;
    }
  }

  /** Gives one word of a line what the line's own word has for that eighth of it. */
  void spread(int[] from, int line, int bit, int[] a, int w, int word, long address) {
    for (int k = 0; k < from[line + Word.CLOSED_COUNT]; k++) {
      if ((mask(cells(from, line), cell(from, line, k)) & 1 << bit) != 0) {
        append(a, w);
        int[] c = cells(from, line);
        int i = cell(from, line, k);
        int[] target = cells(a, w);
        int j = cell(a, w, a[w + Word.CLOSED_COUNT] - 1);
        System.arraycopy(c, i, target, j, 1 << LOG2);
        target[j + PACKED] |= 0xff00;
        target[j + WINDOW] = windows.copy(c[i + WINDOW]);
        windows.moveTo(target[j + WINDOW], word, address);
      }
    }
  }
}
