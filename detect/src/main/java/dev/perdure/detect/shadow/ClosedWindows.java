package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.detect.sync.Threads;
import java.util.function.IntPredicate;

/**
 * The windows of a word that are over: the latest for each (store thread, store site, end thread,
 * effective lockset, overwritten or persisted), one cell each.
 *
 * <pre>
 *   | kind:24 mask:8 | end epoch | lockset | window |
 * </pre>
 */
public final class ClosedWindows {
  /** Ints from one cell to the next. */
  public static final int CELL = CellBlocks.CELL;

  private static final int END_EPOCH = 1;
  private static final int LOCKSET = 2;
  private static final int WINDOW = 3;

  private final CellBlocks blocks;
  private final Windows windows;
  private final Origins origins;
  private final Threads threads;
  private final LocksetFamily family;
  private final WindowKinds kinds = new WindowKinds();

  ClosedWindows(IntArena arena, Windows windows, Origins origins, Threads threads, Locksets sets) {
    this.blocks = new CellBlocks(arena, Word.CLOSED);
    this.windows = windows;
    this.origins = origins;
    this.threads = threads;
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

  /** The effective lockset of all windows, or -1 where there are several; there is a window. */
  public int commonLockset(int[] a, int w) {
    return blocks.lockset(a, w);
  }

  public static int mask(int[] c, int i) {
    return c[i] & 0xff;
  }

  /** Whether the thread made the store, or ended the window: then it cannot race with its loads. */
  public boolean isSettledFor(int[] c, int i, ThreadState t) {
    int kind = c[i] >>> 8;
    return kinds.endIndex(kind) == t.index() || kinds.storer(kind) == t.number();
  }

  public static int endEpoch(int[] c, int i) {
    return c[i + END_EPOCH];
  }

  public int endIndex(int[] c, int i) {
    return kinds.endIndex(c[i] >>> 8);
  }

  /** The effective lockset. */
  public static int lockset(int[] c, int i) {
    return c[i + LOCKSET];
  }

  public static int window(int[] c, int i) {
    return c[i + WINDOW];
  }

  /** Adds a window that its record says is closed, by the thread that ended it now. */
  void put(int[] a, int w, int window, int lockset, ThreadState ender) {
    int kind = kindOf(window, ender);
    if (kind >= WindowKinds.LIMIT) {
      windows.releaseClosed(window);
      Word.clearEndFrontier(a, w);
      return;
    }
    int mask = windows.mask(window);
    boolean allKnown = count(a, w) == 0 || Word.endsAreBefore(a, w, ender);
    for (int i = last(a, w); count(a, w) > 0 && i >= first(a, w); i -= CELL) {
      int[] c = blocks.array(a, w);
      if (c[i] >>> 8 != kind || !covers(c, i, mask, lockset, ender)) {
        continue;
      }
      lockset = c[i + LOCKSET];
      if (c[i + END_EPOCH] == ender.clock() || mask(c, i) == mask) {
        windows.releaseClosed(c[i + WINDOW]);
        c[i] |= mask;
        c[i + END_EPOCH] = ender.clock();
        c[i + WINDOW] = window;
        frontier(a, w, ender, allKnown);
        return;
      }
      c[i] &= ~mask;
      if (mask(c, i) == 0) {
        removeAt(a, w, i);
      }
    }
    lockset = widened(a, w, kind << 8 | mask, lockset, ender);
    int i = blocks.append(a, w, lockset);
    int[] c = blocks.array(a, w);
    c[i] = kind << 8 | mask;
    c[i + END_EPOCH] = ender.clock();
    c[i + LOCKSET] = lockset;
    c[i + WINDOW] = window;
    frontier(a, w, ender, allKnown);
  }

  /** The thread's end is the frontier if it knows all others. */
  private void frontier(int[] a, int w, ThreadState ender, boolean known) {
    boolean allKnown = known;
    if (!allKnown) {
      allKnown = true;
      for (int i = last(a, w); i >= first(a, w) && allKnown; i -= CELL) {
        int[] c = blocks.array(a, w);
        allKnown = ender.knows(endIndex(c, i), c[i + END_EPOCH]);
      }
    }
    if (allKnown) {
      Word.setEndFrontier(a, w, ender);
    } else {
      Word.clearEndFrontier(a, w);
    }
  }

  private int last(int[] a, int w) {
    return first(a, w) + (count(a, w) - 1) * CELL;
  }

  private int kindOf(int window, ThreadState ender) {
    int index = windows.index(window);
    boolean own = windows.isOf(window, ender);
    return kinds.of(
        own ? ender.number() : threads.numberOf(index, windows.epoch(window)),
        own,
        ender.index(),
        origins.site(windows.origin(window)),
        windows.is(window, Windows.OVERWRITTEN));
  }

  /** A cell with fewer locks stands for the window if their ends are equal by create and join. */
  private boolean covers(int[] c, int i, int mask, int lockset, ThreadState ender) {
    return c[i + LOCKSET] == lockset
        || (mask & ~mask(c, i)) == 0
            && c[i + END_EPOCH] > ender.orderBase()
            && family.contains(lockset, c[i + LOCKSET]);
  }

  /** The lockset of a new cell, after cells that it makes needless are removed. */
  private int widened(int[] a, int w, int head, int lockset, ThreadState ender) {
    if (count(a, w) + 1 < LocksetFamily.DISJOINT) {
      return lockset;
    }
    family.start(lockset);
    for (int i = last(a, w); i >= first(a, w); i -= CELL) {
      if (isRival(blocks.array(a, w), i, head, ender)) {
        family.add(lockset(blocks.array(a, w), i));
      }
    }
    int core = family.core();
    if (core != lockset) {
      for (int i = last(a, w); i >= first(a, w); i -= CELL) {
        if (isRival(blocks.array(a, w), i, head, ender)) {
          removeAt(a, w, i);
        }
      }
    }
    return core;
  }

  private static boolean isRival(int[] c, int i, int head, ThreadState ender) {
    return c[i] == head && c[i + END_EPOCH] > ender.orderBase();
  }

  private void removeAt(int[] a, int w, int i) {
    windows.releaseClosed(blocks.array(a, w)[i + WINDOW]);
    blocks.removeAt(a, w, i);
  }

  void remove(int[] a, int w, IntPredicate threadIndex) {
    for (int i = last(a, w); count(a, w) > 0 && i >= first(a, w); i -= CELL) {
      if (threadIndex.test(windows.index(window(cells(a, w), i)))) {
        removeAt(a, w, i);
      }
    }
    blocks.releaseIfEmpty(a, w);
  }

  void clear(int[] a, int w, int mask) {
    for (int i = last(a, w); count(a, w) > 0 && i >= first(a, w); i -= CELL) {
      int[] c = blocks.array(a, w);
      c[i] &= ~mask;
      if (mask(c, i) == 0) {
        removeAt(a, w, i);
      }
    }
    blocks.releaseIfEmpty(a, w);
  }

  /** Gives one word of a line what the line's own word has for that eighth of it. */
  void spread(int[] from, int line, int bit, int[] a, int w, long address) {
    for (int k = 0; k < count(from, line); k++) {
      int i = first(from, line) + k * CELL;
      if ((mask(cells(from, line), i) & 1 << bit) != 0) {
        int j = blocks.append(a, w, lockset(cells(from, line), i));
        int[] target = cells(a, w);
        System.arraycopy(cells(from, line), i, target, j, CELL);
        target[j] |= 0xff;
        target[j + WINDOW] = windows.copy(target[j + WINDOW]);
        windows.moveTo(target[j + WINDOW], address);
      }
    }
  }
}
