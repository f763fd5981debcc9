package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.detect.sync.Threads;
import java.util.function.IntPredicate;

/**
 * The windows of a word that are over: the latest for each (store thread, store site, end thread,
 * effective lockset, overwritten or persisted). The index is that of the thread that ended the
 * window; where another one had made the store, its number takes the place of the members.
 *
 * <pre>
 *   | index:16 flags:8 mask:8 | lockset | end epoch | window | members:64, or storer | site + 1 | meta |
 * </pre>
 */
public final class ClosedWindows extends WordRecords {
  private static final int WINDOW = 3;
  private static final int STORER = 4;

  private static final int OVERWRITTEN = 1 << 8;
  private static final int FOREIGN = 2 << 8;
  private static final int FLAGS = 0xff00;

  private final Windows windows;
  private final Origins origins;
  private final Threads threads;
  private final Locksets sets;
  private final LocksetFamily family;

  ClosedWindows(IntArena arena, Windows windows, Origins origins, Threads threads, Locksets sets) {
    super(arena);
    this.windows = windows;
    this.origins = origins;
    this.threads = threads;
    this.sets = sets;
    this.family = new LocksetFamily(sets);
  }

  /** The bytes that a window has in common with a mask; none where the cell is not of a window. */
  public static int common(int[] c, int i, int mask) {
    return isWindow(c, i) ? mask(c, i) & mask : 0;
  }

  /** Whether another thread than the storing one ended the window. */
  private static boolean isForeign(int[] c, int i) {
    return (c[i] & FOREIGN) != 0;
  }

  /** Whether the thread made the store of the cell, or ended it: then it cannot race with it. */
  public static boolean isSettledFor(int[] c, int i, ThreadState t) {
    return index(c, i) == t.index() || isForeign(c, i) && c[i + STORER] == t.number();
  }

  /** Threads that have windows of their own in the cell, besides that of the cell, as bits. */
  public static long others(int[] c, int i) {
    return isForeign(c, i) ? 0 : members(c, i);
  }

  public static int window(int[] c, int i) {
    return c[i + WINDOW];
  }

  /** Adds a window that its record says is closed, by the thread that ended it now. */
  void put(int[] a, int w, int window, int lockset, ThreadState ender) {
    int site = origins.site(windows.origin(window));
    boolean own = windows.isOf(window, ender);
    int flags = (windows.is(window, Windows.OVERWRITTEN) ? OVERWRITTEN : 0) | (own ? 0 : FOREIGN);
    int storer = own ? 0 : threads.numberOf(windows.index(window), windows.epoch(window));
    int mask = windows.mask(window);
    int i = find(a, w, mask, site, flags, storer, lockset, ender);
    if (i == NONE) {
      i = add(a, w, mask, site, flags, storer, lockset, ender);
    } else {
      windows.releaseClosed(cells(a, w)[i + WINDOW]);
    }
    int[] c = cells(a, w);
    if (own && index(c, i) != ender.index()) {
      setMembers(c, i, members(c, i) | member(ender));
    } else if (own && member(ender) == 0 && ender.index() < MEMBERS) {
      setMembers(c, i, members(c, i) & ~(1L << ender.index()));
    }
    c[i] = ender.index() << 16 | flags | mask(c, i);
    c[i + EPOCH] = ender.clock();
    c[i + WINDOW] = window;
  }

  /**
   * Adds a window that its own thread ended with that effective lockset, after all others of that
   * lockset, and with it earlier ones of members.
   */
  void addPast(int[] a, int w, int window, int lockset, int epoch, long members) {
    int site = origins.site(windows.origin(window));
    int flags = windows.is(window, Windows.OVERWRITTEN) ? OVERWRITTEN : 0;
    int mask = windows.mask(window);
    int index = windows.index(window);
    int place = NONE;
    for (int i = first(a, w), end = end(a, w); i < end && place == NONE; i += CELL) {
      int[] c = cells(a, w);
      if (isLike(c, i, site, flags, 0)
          && mask(c, i) == mask
          && c[i + LOCKSET] == lockset
          && mayFollow(c, i, index)) {
        place = i;
      }
    }
    boolean isNew = place == NONE;
    if (isNew) {
      place = append(a, w);
    } else {
      windows.releaseClosed(cells(a, w)[place + WINDOW]);
    }
    int[] c = cells(a, w);
    setMembers(c, place, isNew ? members : membersAfter(c, place, index, members));
    c[place] = index << 16 | flags | mask;
    c[place + LOCKSET] = lockset;
    c[place + EPOCH] = epoch;
    c[place + WINDOW] = window;
    c[place + SITE] = site + 1;
  }

  /** The cell that the window can stand in, or {@link #NONE}. */
  private int find(
      int[] a, int w, int mask, int site, int flags, int storer, int lockset, ThreadState ender) {
    if (isEmpty(a, w)) {
      return NONE;
    }
    int[] c = cells(a, w);
    for (int i = first(a, w), end = end(a, w); i < end; i += CELL) {
      if (isLike(c, i, site, flags, storer)
          && mask(c, i) == mask
          && (isForeign(c, i) ? index(c, i) == ender.index() : mayTakeOver(c, i, ender))
          && (c[i + LOCKSET] == lockset
              || isEqualByThreads(c, i, ender) && sets.contains(lockset, c[i + LOCKSET]))) {
        return i;
      }
    }
    return NONE;
  }

  private static boolean isLike(int[] c, int i, int site, int flags, int storer) {
    return c[i + SITE] == site + 1
        && (c[i] & FLAGS) == flags
        && ((flags & FOREIGN) == 0 || c[i + STORER] == storer);
  }

  private static boolean isEqualByThreads(int[] c, int i, ThreadState ender) {
    return isForeign(c, i)
        ? index(c, i) == ender.index() && c[i + EPOCH] > ender.orderBase()
        : isIn(c, i, ender);
  }

  /** Makes a cell, or widens one of the same moment; older ones of its kind give way. */
  private int add(
      int[] a, int w, int mask, int site, int flags, int storer, int locks, ThreadState ender) {
    for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
      int[] c = cells(a, w);
      if (!isLike(c, i, site, flags, storer)
          || c[i + LOCKSET] != locks
          || index(c, i) != ender.index()
          || !isForeign(c, i) && !isOnlyOf(c, i, ender)) {
        continue;
      }
      if (c[i + EPOCH] == ender.clock()) {
        windows.releaseClosed(c[i + WINDOW]);
        c[i] |= mask;
        return i;
      }
      trim(a, w, i, mask);
    }
    int lockset = widened(a, w, mask, site, flags, storer, locks, ender);
    int i = append(a, w);
    int[] c = cells(a, w);
    c[i] = ender.index() << 16 | flags | mask;
    c[i + LOCKSET] = lockset;
    c[i + SITE] = site + 1;
    setMembers(c, i, (flags & FOREIGN) == 0 ? member(ender) : storer);
    return i;
  }

  private void trim(int[] a, int w, int i, int mask) {
    int[] c = cells(a, w);
    c[i] &= ~mask;
    if (mask(c, i) == 0) {
      windows.releaseClosed(c[i + WINDOW]);
      removeAt(a, w, i);
    }
  }

  /** The lockset of a new cell, after cells that it makes needless are removed. */
  private int widened(
      int[] a, int w, int mask, int site, int flags, int storer, int lockset, ThreadState ender) {
    family.start(lockset);
    for (int i = first(a, w), end = end(a, w); i < end; i += CELL) {
      int[] c = cells(a, w);
      if (isLike(c, i, site, flags, storer)
          && mask(c, i) == mask
          && isEqualByThreads(c, i, ender)) {
        family.add(lockset(c, i));
      }
    }
    int core = family.core();
    if (core != lockset) {
      for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
        int[] c = cells(a, w);
        if (isLike(c, i, site, flags, storer)
            && mask(c, i) == mask
            && isEqualByThreads(c, i, ender)
            && (isForeign(c, i) || isOnlyOf(c, i, ender))) {
          trim(a, w, i, 0xff);
        }
      }
    }
    return core;
  }

  void remove(int[] a, int w, IntPredicate threadIndex) {
    for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
      int[] c = cells(a, w);
      if (isWindow(c, i) && threadIndex.test(windows.index(window(c, i)))) {
        trim(a, w, i, 0xff);
      }
    }
  }

  void clear(int[] a, int w, int mask) {
    for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
      if (isWindow(cells(a, w), i)) {
        trim(a, w, i, mask);
      }
    }
  }

  /** Gives one word of a line what the line's own word has for that eighth of it. */
  void spread(int[] from, int line, int bit, int[] a, int w, long address) {
    for (int i = first(from, line), end = end(from, line); i < end; i += CELL) {
      int[] c = cells(from, line);
      if (common(c, i, 1 << bit) != 0) {
        int j = append(a, w);
        int[] target = cells(a, w);
        System.arraycopy(c, i, target, j, CELL - 1);
        target[j] |= 0xff;
        target[j + WINDOW] = windows.copy(target[j + WINDOW]);
        windows.moveTo(target[j + WINDOW], address);
      }
    }
  }
}
