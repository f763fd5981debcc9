package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.ThreadState;
import java.util.function.IntPredicate;

/**
 * The load records of a word: the latest for each (thread, site, lockset).
 *
 * <pre>
 *   | index:16 version:8 mask:8 | lockset | epoch | origin | members:64 | 0 | meta |
 * </pre>
 *
 * <p>The version is that of the word when the load of the cell's thread was last checked against
 * all windows of the bytes in the mask, or 0.
 */
public final class LoadRecords extends WordRecords {
  private static final int ORIGIN = 3;
  private static final int VERSION = 0xff00;

  private final Origins origins;
  private final Locksets sets;
  private final LocksetFamily family;

  LoadRecords(IntArena arena, Origins origins, Locksets sets) {
    super(arena);
    this.origins = origins;
    this.sets = sets;
    this.family = new LocksetFamily(sets);
  }

  /** The bytes that a load has in common with a mask; none where the cell is not of a load. */
  public static int common(int[] c, int i, int mask) {
    return isWindow(c, i) ? 0 : mask(c, i) & mask;
  }

  public static int origin(int[] c, int i) {
    return c[i + ORIGIN];
  }

  /**
   * Records a load of a word of which all records were made under the lockset that orders them
   * before it, and that has a record for the load: then no window races with it. Returns false, and
   * does nothing, where that is not so.
   */
  boolean renewOrdered(int[] a, int w, int mask, int origin, ThreadState t) {
    int block = a[w + Word.RECORDS];
    if (block == 0) {
      return false;
    }
    int[] c = arena.chunk(block);
    int ordering = t.held().ordering();
    int record = NONE;
    for (int i = IntArena.at(block), end = endOf(c, i); i < end; i += CELL) {
      if (c[i + LOCKSET] != ordering) {
        return false;
      }
      if (c[i + SITE] == 0 && (c[i] & 0xff) == mask && sameSite(c[i + ORIGIN], origin)) {
        record = i;
      }
    }
    if (record == NONE || !isOwnOrMember(c, record, t)) {
      return false;
    }
    renew(a, w, c, record, origin, t);
    return true;
  }

  private static boolean isOwnOrMember(int[] c, int i, ThreadState t) {
    int index = index(c, i);
    return index == t.index() || index < MEMBERS && (members(c, i) & 1L << index) != 0;
  }

  /** The record of the same bytes that a load now can stand in, or {@link #NONE}. */
  int find(int[] a, int w, int mask, int origin, ThreadState t) {
    if (isEmpty(a, w)) {
      return NONE;
    }
    int[] c = cells(a, w);
    int lockset = t.held().set();
    for (int i = first(a, w), end = end(a, w); i < end; i += CELL) {
      if (mask(c, i) == mask
          && !isWindow(c, i)
          && stands(c, i, lockset, t)
          && mayTakeOver(c, i, t)
          && sameSite(c[i + ORIGIN], origin)) {
        return i;
      }
    }
    return NONE;
  }

  /**
   * A record with fewer locks stands for a load if the thread has one in it that is equal by create
   * and join: a window that races with the load races with that one.
   */
  private boolean stands(int[] c, int i, int lockset, ThreadState t) {
    return c[i + LOCKSET] == lockset || isIn(c, i, t) && sets.contains(lockset, c[i + LOCKSET]);
  }

  private boolean sameSite(int a, int b) {
    return a == b || origins.site(a) == origins.site(b);
  }

  /** Whether the record is of this thread and was checked against the present windows. */
  boolean isCurrent(int[] a, int w, int i, ThreadState t) {
    int head = cells(a, w)[i];
    return head >>> 16 == t.index() && (head & VERSION) >>> 8 == Word.version(a, w);
  }

  /** The record found stands for a load now, checked against the present windows. */
  void renew(int[] a, int w, int i, int origin, ThreadState t) {
    renew(a, w, cells(a, w), i, origin, t);
  }

  private static void renew(int[] a, int w, int[] c, int i, int origin, ThreadState t) {
    if (index(c, i) != t.index()) {
      setMembers(c, i, members(c, i) | member(t));
    } else if (member(t) == 0) {
      setMembers(c, i, members(c, i) & ~(t.index() < MEMBERS ? 1L << t.index() : 0));
    }
    c[i] = t.index() << 16 | Word.version(a, w) << 8 | mask(c, i);
    c[i + EPOCH] = t.clock();
    c[i + ORIGIN] = origin;
  }

  /** Records a load that was just checked and that no record can stand for. */
  void put(int[] a, int w, int mask, int origin, ThreadState t) {
    int lockset = t.held().set();
    for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
      int[] c = cells(a, w);
      if (isWindow(c, i)
          || !isOnlyOf(c, i, t)
          || c[i + LOCKSET] != lockset
          || !sameSite(c[i + ORIGIN], origin)) {
        continue;
      }
      if (c[i + EPOCH] == t.clock()) {
        // The same moment, other bytes. Bytes that were not checked now keep it from being current.
        int checked = isCurrent(a, w, i, t) ? c[i] & VERSION : 0;
        c[i] = t.index() << 16 | checked | mask(c, i) | mask;
        return;
      }
      c[i] &= ~mask;
      if (mask(c, i) == 0) {
        removeAt(a, w, i);
      }
    }
    lockset = widened(a, w, mask, origin, lockset, t);
    int i = append(a, w);
    int[] c = cells(a, w);
    c[i] = t.index() << 16 | Word.version(a, w) << 8 | mask;
    c[i + LOCKSET] = lockset;
    c[i + EPOCH] = t.clock();
    c[i + ORIGIN] = origin;
    c[i + SITE] = 0;
    setMembers(c, i, member(t));
  }

  /** The lockset of a new record, after records that it makes needless are removed. */
  private int widened(int[] a, int w, int mask, int origin, int lockset, ThreadState t) {
    family.start(lockset);
    for (int i = first(a, w), end = end(a, w); i < end; i += CELL) {
      if (isRival(cells(a, w), i, mask, origin, t)) {
        family.add(lockset(cells(a, w), i));
      }
    }
    int core = family.core();
    if (core != lockset) {
      for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
        if (isRival(cells(a, w), i, mask, origin, t) && isOnlyOf(cells(a, w), i, t)) {
          removeAt(a, w, i);
        }
      }
    }
    return core;
  }

  private boolean isRival(int[] c, int i, int mask, int origin, ThreadState t) {
    return mask(c, i) == mask
        && !isWindow(c, i)
        && isIn(c, i, t)
        && sameSite(c[i + ORIGIN], origin);
  }

  /**
   * Adds a load that was made under the lockset by the thread of that index, after all others of
   * that lockset, and with it earlier ones of members.
   */
  void addPast(
      int[] a, int w, int mask, int origin, int lockset, int index, int epoch, long members) {
    int place = NONE;
    for (int i = first(a, w), end = end(a, w); i < end && place == NONE; i += CELL) {
      int[] c = cells(a, w);
      if (mask(c, i) == mask
          && !isWindow(c, i)
          && c[i + LOCKSET] == lockset
          && mayFollow(c, i, index)
          && sameSite(c[i + ORIGIN], origin)) {
        place = i;
      }
    }
    boolean isNew = place == NONE;
    place = isNew ? append(a, w) : place;
    int[] c = cells(a, w);
    setMembers(c, place, isNew ? members : membersAfter(c, place, index, members));
    c[place] = index << 16 | mask;
    c[place + LOCKSET] = lockset;
    c[place + EPOCH] = epoch;
    c[place + ORIGIN] = origin;
    c[place + SITE] = 0;
  }

  void remove(int[] a, int w, IntPredicate threadIndex) {
    for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
      if (!isWindow(cells(a, w), i) && threadIndex.test(index(cells(a, w), i))) {
        removeAt(a, w, i);
      }
    }
  }

  /** The version number starts again: no record is current. */
  void forgetVersions(int[] a, int w) {
    for (int i = first(a, w), end = end(a, w); i < end; i += CELL) {
      if (!isWindow(cells(a, w), i)) {
        cells(a, w)[i] &= ~VERSION;
      }
    }
  }

  void clear(int[] a, int w, int mask) {
    for (int i = end(a, w) - CELL; !isEmpty(a, w) && i >= first(a, w); i -= CELL) {
      int[] c = cells(a, w);
      if (!isWindow(c, i)) {
        c[i] &= ~mask;
        if (mask(c, i) == 0) {
          removeAt(a, w, i);
        }
      }
    }
  }

  /** Gives one word of a line what the line's own word has for that eighth of it. */
  void spread(int[] from, int line, int bit, int[] a, int w) {
    for (int i = first(from, line), end = end(from, line); i < end; i += CELL) {
      int[] c = cells(from, line);
      if (common(c, i, 1 << bit) != 0) {
        int j = append(a, w);
        System.arraycopy(c, i, cells(a, w), j, CELL - 1);
        cells(a, w)[j] = c[i] & 0xffff0000 | 0xff;
      }
    }
  }
}
