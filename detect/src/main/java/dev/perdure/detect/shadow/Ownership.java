package dev.perdure.detect.shadow;

import java.util.Arrays;

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

  /** Bytes were touched for the first time that no word stands for. */
  public void addTouched(int bytes) {
    touchedBytes += bytes;
  }

  void touch(int[] a, int w, int mask, int thread, int granule) {
    int masks = a[w + Word.MASKS];
    int shared = masks >>> Word.SHARED_SHIFT & 0xff;
    if ((mask & ~shared) == 0) {
      return;
    }
    int fresh = mask & ~masks & 0xff;
    if (fresh == 0 && a[w + Word.OWNER] == thread && (masks & Word.SPLIT) == 0) {
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
    if ((masks & Word.SPLIT) != 0 || rest != 0 && a[w + Word.OWNER] != thread) {
      split(a, w, fresh, thread);
    } else {
      a[w + Word.OWNER] = thread;
    }
  }

  private int foreign(int[] a, int w, int mask, int thread) {
    if ((a[w + Word.MASKS] & Word.SPLIT) == 0) {
      return a[w + Word.OWNER] == thread ? 0 : mask;
    }
    int result = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      int bit = Integer.numberOfTrailingZeros(m);
      if (owner(a, w, bit) != thread) {
        result |= 1 << bit;
      }
    }
    return result;
  }

  private void split(int[] a, int w, int fresh, int thread) {
    if ((a[w + Word.MASKS] & Word.SPLIT) == 0) {
      int block = arena.allocate(OWNERS_LOG2);
      Arrays.fill(
          arena.chunk(block), IntArena.at(block), IntArena.at(block) + 8, a[w + Word.OWNER]);
      a[w + Word.OWNER] = block;
      a[w + Word.MASKS] |= Word.SPLIT;
    }
    int[] owners = arena.chunk(a[w + Word.OWNER]);
    int at = IntArena.at(a[w + Word.OWNER]);
    for (int m = fresh; m != 0; m &= m - 1) {
      owners[at + Integer.numberOfTrailingZeros(m)] = thread;
    }
  }

  /** The owner of a private byte. */
  int owner(int[] a, int w, int bit) {
    int owner = a[w + Word.OWNER];
    return (a[w + Word.MASKS] & Word.SPLIT) == 0
        ? owner
        : arena.chunk(owner)[IntArena.at(owner) + bit];
  }

  /** The bytes are untouched again. */
  void clear(int[] a, int w, int mask) {
    a[w + Word.MASKS] &= ~(mask | mask << Word.SHARED_SHIFT);
    if (Word.touched(a, w) == 0 && (a[w + Word.MASKS] & Word.SPLIT) != 0) {
      arena.release(a[w + Word.OWNER], OWNERS_LOG2);
      a[w + Word.OWNER] = 0;
      a[w + Word.MASKS] &= ~Word.SPLIT;
    }
  }
}
