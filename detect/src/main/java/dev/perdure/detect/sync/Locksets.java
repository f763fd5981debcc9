package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * Interned locksets: equal sets have one number, so that records hold an int. A member is a lock's
 * number, shifted left, with 1 in the lowest bit where it is held shared; members are sorted.
 *
 * <p>Nearly all sets have at most one member, and such a set's number tells the member itself: 0 is
 * the empty set, an odd number a single member, any other even number a place in a table.
 */
public final class Locksets {
  public static final int EMPTY = 0;
  private static final int UNKNOWN = -1;

  private int[][] members = new int[64][];
  private int[] exclusive = new int[64];
  private int count = 1;
  private final LongIndex steps = new LongIndex();
  private int[] targets = new int[64];
  private int[] hashHeads = new int[64];
  private int[] hashNext = new int[64];

  public Locksets() {
    members[EMPTY] = new int[0];
    Arrays.fill(hashHeads, UNKNOWN);
  }

  private static boolean isSingle(int set) {
    return (set & 1) != 0;
  }

  private static int single(int member) {
    return member << 1 | 1;
  }

  /** Sorted members; not to be changed. */
  public int[] members(int set) {
    return isSingle(set) ? new int[] {set >>> 1} : members[set >>> 1];
  }

  public int size(int set) {
    return isSingle(set) ? 1 : members[set >>> 1].length;
  }

  public int member(int set, int i) {
    return isSingle(set) ? set >>> 1 : members[set >>> 1][i];
  }

  public static int lock(int member) {
    return member >>> 1;
  }

  public static boolean isShared(int member) {
    return (member & 1) != 0;
  }

  public int with(int set, int lock, boolean shared) {
    int member = lock << 1 | (shared ? 1 : 0);
    if (set == EMPTY) {
      return single(member);
    }
    int step = steps.add((long) set << 32 | member);
    if (step >= targets.length || targets[step] == 0) {
      int[] old = members(set);
      int[] grown = Arrays.copyOf(old, old.length + 1);
      grown[old.length] = member;
      Arrays.sort(grown);
      targets = LongIndex.fit(targets, step);
      targets[step] = intern(grown) + 1;
    }
    return targets[step] - 1;
  }

  public int without(int set, int lock) {
    if (isSingle(set)) {
      return EMPTY;
    }
    // The upper bit tells removals from additions in the table of steps.
    int step = steps.add((long) set << 32 | 1L << 31 | lock);
    if (step >= targets.length || targets[step] == 0) {
      int[] rest = Arrays.stream(members(set)).filter(m -> lock(m) != lock).toArray();
      targets = LongIndex.fit(targets, step);
      targets[step] = intern(rest) + 1;
    }
    return targets[step] - 1;
  }

  /** The members that are held exclusively. */
  public int exclusive(int set) {
    if (isSingle(set)) {
      return isShared(set >>> 1) ? EMPTY : set;
    }
    if (set == EMPTY) {
      return EMPTY;
    }
    int result = exclusive[set >>> 1];
    if (result == UNKNOWN) {
      result = intern(Arrays.stream(members(set)).filter(m -> !isShared(m)).toArray());
      exclusive[set >>> 1] = result;
    }
    return result;
  }

  /** The locks that both sets hold, in whatever mode, as a set of exclusive members. */
  public int common(int a, int b) {
    if (a == EMPTY || b == EMPTY) {
      return EMPTY;
    }
    if (isSingle(a) && isSingle(b)) {
      int lock = lock(a >>> 1);
      return lock == lock(b >>> 1) ? single(lock << 1) : EMPTY;
    }
    int[] both = new int[Math.min(size(a), size(b))];
    int n = 0;
    for (int i = 0, j = 0; i < size(a) && j < size(b); ) {
      int x = lock(member(a, i));
      int y = lock(member(b, j));
      if (x == y) {
        both[n++] = x << 1;
      }
      i += x <= y ? 1 : 0;
      j += y <= x ? 1 : 0;
    }
    return intern(Arrays.copyOf(both, n));
  }

  /** The members that both sets have, in the same modes. */
  public int commonMembers(int a, int b) {
    int[] both = new int[Math.min(size(a), size(b))];
    int n = 0;
    for (int i = 0, j = 0; i < size(a) && j < size(b); ) {
      int x = member(a, i);
      int y = member(b, j);
      if (x == y) {
        both[n++] = x;
      }
      i += x <= y ? 1 : 0;
      j += y <= x ? 1 : 0;
    }
    return intern(Arrays.copyOf(both, n));
  }

  /** Whether one set has all members of another, in the same modes. */
  public boolean contains(int set, int subset) {
    if (subset == EMPTY || subset == set) {
      return true;
    }
    int found = 0;
    for (int i = 0; i < size(set) && found < size(subset); i++) {
      found += member(set, i) == member(subset, found) ? 1 : 0;
    }
    return found == size(subset);
  }

  private int intern(int[] sorted) {
    if (sorted.length <= 1) {
      return sorted.length == 0 ? EMPTY : single(sorted[0]);
    }
    int hash = Arrays.hashCode(sorted) * 0x9E3779B9;
    int head = hash >>> 1 & hashHeads.length - 1;
    for (int s = hashHeads[head]; s >= 0; s = hashNext[s]) {
      if (Arrays.equals(members[s], sorted)) {
        return s << 1;
      }
    }
    if (count == hashHeads.length) {
      rehash();
      head = hash >>> 1 & hashHeads.length - 1;
    }
    members = LongIndex.fit(members, count);
    exclusive = LongIndex.fit(exclusive, count);
    hashNext = LongIndex.fit(hashNext, count);
    members[count] = sorted;
    exclusive[count] = UNKNOWN;
    hashNext[count] = hashHeads[head];
    hashHeads[head] = count;
    return count++ << 1;
  }

  private void rehash() {
    hashHeads = new int[2 * hashHeads.length];
    Arrays.fill(hashHeads, UNKNOWN);
    for (int s = 1; s < count; s++) {
      int head = Arrays.hashCode(members[s]) * 0x9E3779B9 >>> 1 & hashHeads.length - 1;
      hashNext[s] = hashHeads[head];
      hashHeads[head] = s;
    }
  }
}
