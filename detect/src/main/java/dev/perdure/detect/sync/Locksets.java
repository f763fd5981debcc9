package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * Interned locksets: equal sets have one number, so that records hold an int. A member is a lock's
 * number, shifted left, with 1 in the lowest bit where it is held shared; members are sorted.
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
    exclusive[EMPTY] = EMPTY;
    Arrays.fill(hashHeads, UNKNOWN);
  }

  /** Sorted members; not to be changed. */
  public int[] members(int set) {
    return members[set];
  }

  public static int lock(int member) {
    return member >>> 1;
  }

  public static boolean isShared(int member) {
    return (member & 1) != 0;
  }

  public int with(int set, int lock, boolean shared) {
    int member = lock << 1 | (shared ? 1 : 0);
    int step = steps.add((long) set << 32 | member);
    if (step >= targets.length || targets[step] == 0) {
      int[] old = members[set];
      int[] grown = Arrays.copyOf(old, old.length + 1);
      grown[old.length] = member;
      Arrays.sort(grown);
      targets = LongIndex.fit(targets, step);
      targets[step] = intern(grown) + 1;
    }
    return targets[step] - 1;
  }

  public int without(int set, int lock) {
    int[] old = members[set];
    if (old.length == 1) {
      return EMPTY;
    }
    // The upper bit tells removals from additions in the table of steps.
    int step = steps.add((long) set << 32 | 1L << 31 | lock);
    if (step >= targets.length || targets[step] == 0) {
      int[] rest = Arrays.stream(old).filter(m -> lock(m) != lock).toArray();
      targets = LongIndex.fit(targets, step);
      targets[step] = intern(rest) + 1;
    }
    return targets[step] - 1;
  }

  /** The members that are held exclusively. */
  public int exclusive(int set) {
    int result = exclusive[set];
    if (result == UNKNOWN) {
      result = intern(Arrays.stream(members[set]).filter(m -> !isShared(m)).toArray());
      exclusive[set] = result;
    }
    return result;
  }

  /** The locks that both sets hold, in whatever mode, as a set of exclusive members. */
  public int common(int a, int b) {
    if (a == EMPTY || b == EMPTY) {
      return EMPTY;
    }
    int[] x = members[a];
    int[] y = members[b];
    if (x.length == 1 && y.length == 1) {
      return lock(x[0]) != lock(y[0]) ? EMPTY : isShared(x[0]) ? with(EMPTY, lock(x[0]), false) : a;
    }
    int result = EMPTY;
    for (int i = 0, j = 0; i < x.length && j < y.length; ) {
      int d = Integer.compare(lock(x[i]), lock(y[j]));
      if (d == 0) {
        result = with(result, lock(x[i]), false);
      }
      i += d <= 0 ? 1 : 0;
      j += d >= 0 ? 1 : 0;
    }
    return result;
  }

  private int intern(int[] sorted) {
    if (sorted.length == 0) {
      return EMPTY;
    }
    int hash = Arrays.hashCode(sorted) * 0x9E3779B9;
    int head = hash >>> 1 & hashHeads.length - 1;
    for (int s = hashHeads[head]; s >= 0; s = hashNext[s]) {
      if (Arrays.equals(members[s], sorted)) {
        return s;
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
    return count++;
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
