package dev.perdure.detect.shadow;

/**
 * Which bytes a second thread has touched. Flushes are no touch. A byte is untouched, private to
 * its owner, or shared for good; allocation and freeing make it untouched again.
 *
 * <p>All private bytes of a word normally have one owner, held in the word; where they have
 * several, a block of eight owners takes over.
 */
public final class Ownership {
  private static final int OWNERS_LOG2 = 3;

  private final IntArena arena;
  private long touchedBytes;

  Ownership(IntArena arena) {
    this.arena = arena;
  }

  /** How many different bytes were touched so far. */
  public long touchedBytes() {
    return touchedBytes;
  }

  void touch(int[] a, int w, int mask, int thread, int granule) {
    int masks = a[w + Word.MASKS];
    int shared = masks >>> Word.SHARED_SHIFT & 0xff;
    if ((mask & ~shared) == 0) {
      return;
    }
    int fresh = mask & ~masks & 0xff;
    if (fresh == 0 && a[w + Word.OWNER] == thread && a[w + Word.OWNERS] == 0) {
      return;
    }
    touchedBytes += (long) Integer.bitCount(fresh) * granule;
    int foreign = foreign(a, w, mask & masks & ~shared, thread);
    shared |= foreign;
    int rest = masks & 0xff & ~shared;
    a[w + Word.MASKS] = masks | fresh | foreign << Word.SHARED_SHIFT;
    if (fresh == 0) {
      return;
    }
    if (a[w + Word.OWNERS] != 0 || rest != 0 && a[w + Word.OWNER] != thread) {
      split(a, w, fresh, thread);
    } else {
      a[w + Word.OWNER] = thread;
    }
  }

  private int foreign(int[] a, int w, int mask, int thread) {
    if (a[w + Word.OWNERS] == 0) {
      return a[w + Word.OWNER] == thread ? 0 : mask;
    }
    int[] owners = arena.chunk(a[w + Word.OWNERS]);
    int at = IntArena.at(a[w + Word.OWNERS]);
    int result = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      int bit = Integer.numberOfTrailingZeros(m);
      if (owners[at + bit] != thread) {
        result |= 1 << bit;
      }
    }
    return result;
  }

  private void split(int[] a, int w, int fresh, int thread) {
    boolean first = a[w + Word.OWNERS] == 0;
    if (first) {
      a[w + Word.OWNERS] = arena.allocate(OWNERS_LOG2);
    }
    int[] owners = arena.chunk(a[w + Word.OWNERS]);
    int at = IntArena.at(a[w + Word.OWNERS]);
    for (int bit = 0; bit < 8; bit++) {
      if ((fresh & 1 << bit) != 0) {
        owners[at + bit] = thread;
      } else if (first) {
        owners[at + bit] = a[w + Word.OWNER];
      }
    }
  }

  /** The owner of a private byte. */
  int owner(int[] a, int w, int bit) {
    int owners = a[w + Word.OWNERS];
    return owners == 0 ? a[w + Word.OWNER] : arena.chunk(owners)[IntArena.at(owners) + bit];
  }

  /** The bytes are untouched again. */
  void clear(int[] a, int w, int mask) {
    a[w + Word.MASKS] &= ~(mask | mask << Word.SHARED_SHIFT);
    if (Word.touched(a, w) == 0 && a[w + Word.OWNERS] != 0) {
      arena.release(a[w + Word.OWNERS]);
      a[w + Word.OWNERS] = 0;
    }
  }
}
