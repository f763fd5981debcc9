package dev.perdure.detect.calm;

/**
 * Which bytes of a calm line have been touched by one thread alone, and by which. A word has one
 * owner for all its private bytes.
 */
final class CalmOwnership {
  /** What cannot be known of a calm line. */
  static final int TWO_OWNERS = -1;

  private CalmOwnership() {}

  /** A thread touches bytes; how many of them are new, or that a word would have two owners. */
  static int touch(int[] a, int b, long bytes, int thread) {
    long shared = CalmBlock.shared(a, b);
    if ((bytes & ~shared) == 0) {
      return 0;
    }
    if (thread > CalmBlock.LARGEST_OWNER) {
      return TWO_OWNERS;
    }
    long touched = CalmBlock.touched(a, b);
    long fresh = bytes & ~touched;
    long foreign = 0;
    for (long rest = bytes & ~shared; rest != 0; ) {
      int position = Long.numberOfTrailingZeros(rest) >>> 3;
      long word = 0xffL << 8 * position;
      rest &= ~word;
      if (CalmBlock.owner(a, b, position) != thread) {
        foreign |= bytes & touched & ~shared & word;
        if ((fresh & word) != 0 && (touched & ~(shared | foreign) & word) != 0) {
          return TWO_OWNERS;
        }
      }
    }
    for (long rest = fresh; rest != 0; ) {
      int position = Long.numberOfTrailingZeros(rest) >>> 3;
      rest &= ~(0xffL << 8 * position);
      CalmBlock.setOwner(a, b, position, thread);
    }
    CalmBlock.setTouched(a, b, touched | bytes);
    CalmBlock.setShared(a, b, shared | foreign);
    return Long.bitCount(fresh);
  }
}
