package dev.perdure.detect.sync;

/**
 * Interned locksets: equal sets have one number, so that records hold an int. A member is a lock's
 * number, shifted left, with 1 in the lowest bit where it is held shared.
 *
 * <p>Nearly all sets have at most one member, and such a set's number tells the member itself: 0 is
 * the empty set, an odd number a single member. Any other even number is a branch of a tree over
 * the bits of members: its members agree in all bits above its own, which those of the left side
 * have clear and those of the right side set. There is one such tree for a set, and one number for
 * a branch, so sets share what they have in common: with thousands of locks held, one lock more or
 * less is a dozen branches, and two sets are compared where they differ.
 */
public final class Locksets {
  public static final int EMPTY = 0;
  private static final int UNKNOWN = -1;

  private final LongIndex branches = new LongIndex();
  private int[] left = new int[64];
  private int[] right = new int[64];
  private int[] bit = new int[64];
  private int[] prefix = new int[64];
  private int[] size = new int[64];
  private int[] bitsOfAll = new int[64];
  private int[] exclusive = new int[64];
  private int[] inAnyMode = new int[64];

  private static boolean isSingle(int set) {
    return (set & 1) != 0;
  }

  private static int single(int member) {
    return member << 1 | 1;
  }

  private static int branch(int set) {
    return (set >>> 1) - 1;
  }

  /** Sorted members. */
  public int[] members(int set) {
    int[] all = new int[size(set)];
    fill(all, 0, set);
    return all;
  }

  private int fill(int[] all, int from, int set) {
    if (set == EMPTY) {
      return from;
    }
    if (isSingle(set)) {
      all[from] = set >>> 1;
      return from + 1;
    }
    return fill(all, fill(all, from, left[branch(set)]), right[branch(set)]);
  }

  public int size(int set) {
    return set == EMPTY ? 0 : isSingle(set) ? 1 : size[branch(set)];
  }

  /** The bits that are set in the numbers of all locks; all bits for the empty set. */
  public int bitsOfAllLocks(int set) {
    return set == EMPTY ? -1 : lock(bitsOfAll(set));
  }

  private int bitsOfAll(int set) {
    return isSingle(set) ? set >>> 1 : bitsOfAll[branch(set)];
  }

  public static int lock(int member) {
    return member >>> 1;
  }

  public static boolean isShared(int member) {
    return (member & 1) != 0;
  }

  public int with(int set, int lock, boolean shared) {
    return with(set, lock << 1 | (shared ? 1 : 0));
  }

  private int with(int set, int member) {
    if (set == EMPTY) {
      return single(member);
    }
    if (isSingle(set)) {
      return set >>> 1 == member ? set : both(set, single(member));
    }
    int b = branch(set);
    if (isOutside(b, member)) {
      return both(set, single(member));
    }
    return (member & bit[b]) == 0
        ? branch(with(left[b], member), right[b])
        : branch(left[b], with(right[b], member));
  }

  public int without(int set, int lock) {
    return withoutMember(withoutMember(set, lock << 1), lock << 1 | 1);
  }

  private int withoutMember(int set, int member) {
    if (set == EMPTY || isSingle(set)) {
      return set == single(member) ? EMPTY : set;
    }
    int b = branch(set);
    if (isOutside(b, member)) {
      return set;
    }
    return (member & bit[b]) == 0
        ? branch(withoutMember(left[b], member), right[b])
        : branch(left[b], withoutMember(right[b], member));
  }

  /** The members that are held exclusively. */
  public int exclusive(int set) {
    if (set == EMPTY || isSingle(set)) {
      return set != EMPTY && isShared(set >>> 1) ? EMPTY : set;
    }
    int b = branch(set);
    if (exclusive[b] == UNKNOWN) {
      int result = branch(exclusive(left[b]), exclusive(right[b]));
      exclusive[b] = result;
    }
    return exclusive[b];
  }

  /** The locks that both sets hold, in whatever mode, as a set of exclusive members. */
  public int common(int a, int b) {
    return commonMembers(inAnyMode(a), inAnyMode(b));
  }

  private int inAnyMode(int set) {
    if (set == EMPTY) {
      return EMPTY;
    }
    if (isSingle(set)) {
      return single(set >>> 1 & ~1);
    }
    int b = branch(set);
    if (inAnyMode[b] == UNKNOWN) {
      int result =
          bit[b] == 1 ? inAnyMode(left[b]) : branch(inAnyMode(left[b]), inAnyMode(right[b]));
      inAnyMode[b] = result;
    }
    return inAnyMode[b];
  }

  /** The members that both sets have, in the same modes. */
  public int commonMembers(int a, int b) {
    if (a == b || a == EMPTY) {
      return a;
    }
    if (b == EMPTY) {
      return EMPTY;
    }
    if (isSingle(a)) {
      return contains(b, a) ? a : EMPTY;
    }
    if (isSingle(b)) {
      return contains(a, b) ? b : EMPTY;
    }
    int x = branch(a);
    int y = branch(b);
    if (bit[x] == bit[y]) {
      return prefix[x] == prefix[y]
          ? branch(commonMembers(left[x], left[y]), commonMembers(right[x], right[y]))
          : EMPTY;
    }
    if (bit[x] < bit[y]) {
      return commonMembers(b, a);
    }
    return isOutside(x, prefix[y]) ? EMPTY : commonMembers(side(x, prefix[y]), b);
  }

  /** Whether one set has all members of another, in the same modes. */
  public boolean contains(int set, int subset) {
    int in = set;
    int part = subset;
    while (part != EMPTY && part != in) {
      if (in == EMPTY || isSingle(in)) {
        return false;
      }
      int b = branch(in);
      int p = isSingle(part) ? UNKNOWN : branch(part);
      int some = p == UNKNOWN ? part >>> 1 : prefix[p];
      if (isOutside(b, some) || p != UNKNOWN && bit[p] > bit[b]) {
        return false;
      }
      if (p == UNKNOWN || bit[p] < bit[b]) {
        in = side(b, some);
      } else {
        if (!contains(left[b], left[p])) {
          return false;
        }
        in = right[b];
        part = right[p];
      }
    }
    return true;
  }

  /** Whether a member cannot be in a branch: it differs in a bit above that of the branch. */
  private boolean isOutside(int b, int member) {
    return ((member ^ prefix[b]) & -(bit[b] << 1)) != 0;
  }

  private int side(int b, int member) {
    return (member & bit[b]) == 0 ? left[b] : right[b];
  }

  /** Two sets of which one has all members below those of the other. */
  private int both(int a, int b) {
    return some(a) < some(b) ? branch(a, b) : branch(b, a);
  }

  /** A number that agrees with all members above the bits in which they differ. */
  private int some(int set) {
    return isSingle(set) ? set >>> 1 : prefix[branch(set)];
  }

  private int branch(int below, int above) {
    if (below == EMPTY || above == EMPTY) {
      return below == EMPTY ? above : below;
    }
    int before = branches.size();
    int b = branches.add((long) below << 32 | above);
    if (b == before) {
      describe(b, below, above);
    }
    return b + 1 << 1;
  }

  private void describe(int b, int below, int above) {
    left = LongIndex.fit(left, b);
    right = LongIndex.fit(right, b);
    bit = LongIndex.fit(bit, b);
    prefix = LongIndex.fit(prefix, b);
    size = LongIndex.fit(size, b);
    bitsOfAll = LongIndex.fit(bitsOfAll, b);
    exclusive = LongIndex.fit(exclusive, b);
    inAnyMode = LongIndex.fit(inAnyMode, b);
    left[b] = below;
    right[b] = above;
    bit[b] = Integer.highestOneBit(some(below) ^ some(above));
    prefix[b] = some(below) & -(bit[b] << 1);
    size[b] = size(below) + size(above);
    bitsOfAll[b] = bitsOfAll(below) & bitsOfAll(above);
    exclusive[b] = UNKNOWN;
    inAnyMode[b] = UNKNOWN;
  }
}
