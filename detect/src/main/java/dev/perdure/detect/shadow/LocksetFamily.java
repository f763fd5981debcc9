package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;

/**
 * The locksets under which one site touches one word. A word that is read under thousands of
 * different locks (a table's header under each bucket's lock) would keep thousands of records;
 * beyond a few of them the family is as good as the locks they all have in common, because whatever
 * set of locks the other side holds, one of the rest is not in it.
 *
 * <p>That is exact while the other side holds fewer than {@link #DISJOINT} locks at once, except
 * for families of {@link #MOST} that neither share locks nor are disjoint; these become their core
 * too.
 */
final class LocksetFamily {
  static final int DISJOINT = 8;
  static final int MOST = 32;

  private final Locksets sets;
  private final int[] family = new int[MOST];
  private int size;

  LocksetFamily(Locksets sets) {
    this.sets = sets;
  }

  void start(int lockset) {
    family[0] = lockset;
    size = 1;
  }

  void add(int lockset) {
    if (size < MOST) {
      family[size++] = lockset;
    }
  }

  /** The lockset to record: the first of the family, or the core of all of it. */
  int core() {
    if (size < DISJOINT) {
      return family[0];
    }
    int core = family[0];
    for (int i = 1; i < size; i++) {
      core = sets.commonMembers(core, family[i]);
    }
    return size == MOST || disjointBeyond(core) >= DISJOINT ? core : family[0];
  }

  private int disjointBeyond(int core) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      boolean apart = true;
      for (int j = 0; j < i && apart; j++) {
        apart = sets.size(sets.common(family[i], family[j])) == sets.size(core);
      }
      count += apart ? 1 : 0;
    }
    return count;
  }
}
