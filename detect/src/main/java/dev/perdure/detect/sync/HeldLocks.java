package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * The locks that one thread holds, with their levels, and HawkSet's logical clock: it moves on with
 * every acquisition, so that a lock that was released and taken again can be told apart.
 */
public final class HeldLocks {
  /** No lockset orders what was done under it. */
  private static final int NONE = -1;

  private final Locksets sets;
  private int[] locks = new int[4];
  private int[] levels = new int[4];
  private int[] since = new int[4];
  private boolean[] shared = new boolean[4];
  private boolean[] inTurn = new boolean[4];
  private int size;
  private int set = Locksets.EMPTY;
  private int ordering = NONE;
  private int clock;
  private Runnable beforeChange = () -> {};

  HeldLocks(Locksets sets) {
    this.sets = sets;
  }

  /** The logical clock: how many locks were acquired so far. */
  public int clock() {
    return clock;
  }

  /** The number of the lockset. */
  public int set() {
    return set;
  }

  /**
   * The lockset, if whatever was done under the same one happens before what the thread does now: a
   * lock in it is held exclusively, and nobody ever took or released that lock out of turn. A
   * number that no lockset has, if not.
   */
  public int ordering() {
    return ordering;
  }

  /** The lock that was just acquired was taken in turn, exclusively. */
  void tookInTurn() {
    inTurn[size - 1] = true;
    ordering = set;
  }

  /** Says what is to be done before its locks change by something else than a lock operation. */
  public void beforeOthersChangeThem(Runnable action) {
    beforeChange = action;
  }

  /** Another thread took the lock, out of turn. */
  void lostTurn(int lock) {
    int i = position(lock);
    if (i >= 0) {
      beforeChange.run();
      inTurn[i] = false;
      findOrdering();
    }
  }

  private void findOrdering() {
    ordering = NONE;
    for (int i = 0; i < size; i++) {
      if (inTurn[i]) {
        ordering = set;
      }
    }
  }

  public int level(int lock) {
    int i = position(lock);
    return i < 0 ? 0 : levels[i];
  }

  public boolean holdsShared(int lock) {
    int i = position(lock);
    return i >= 0 && shared[i];
  }

  /** Returns whether this was the outermost level. */
  boolean acquire(int lock, boolean asShared) {
    int i = position(lock);
    if (i >= 0) {
      levels[i]++;
      return false;
    }
    if (size == locks.length) {
      locks = Arrays.copyOf(locks, 2 * size);
      levels = Arrays.copyOf(levels, 2 * size);
      since = Arrays.copyOf(since, 2 * size);
      shared = Arrays.copyOf(shared, 2 * size);
      inTurn = Arrays.copyOf(inTurn, 2 * size);
    }
    locks[size] = lock;
    levels[size] = 1;
    since[size] = ++clock;
    inTurn[size] = false;
    shared[size++] = asShared;
    set = sets.with(set, lock, asShared);
    ordering = ordering == NONE ? NONE : set;
    return true;
  }

  /** Returns whether this was the outermost level; false as well where the lock is not held. */
  boolean release(int lock) {
    int i = position(lock);
    if (i < 0 || --levels[i] > 0) {
      return false;
    }
    removeAt(i);
    return true;
  }

  /** Forgets a lock at all levels: another thread released it, a store did, or it is none. */
  void drop(int lock) {
    int i = position(lock);
    if (i >= 0) {
      beforeChange.run();
      removeAt(i);
    }
  }

  /**
   * The locks that are held exclusively and have been since the logical clock showed that value.
   */
  public int exclusiveSince(int then) {
    if (then == clock) {
      return sets.exclusive(set);
    }
    int result = Locksets.EMPTY;
    for (int i = 0; i < size; i++) {
      if (!shared[i] && since[i] <= then) {
        result = sets.with(result, locks[i], false);
      }
    }
    return result;
  }

  private void removeAt(int i) {
    set = sets.without(set, locks[i]);
    size--;
    locks[i] = locks[size];
    levels[i] = levels[size];
    since[i] = since[size];
    shared[i] = shared[size];
    inTurn[i] = inTurn[size];
    findOrdering();
  }

  private int position(int lock) {
    for (int i = 0; i < size; i++) {
      if (locks[i] == lock) {
        return i;
      }
    }
    return -1;
  }
}
