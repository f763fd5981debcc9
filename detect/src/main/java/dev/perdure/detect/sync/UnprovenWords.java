package dev.perdure.detect.sync;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/**
 * Words that a thread has taken and not freed, and of which nothing tells yet whether they are
 * locks. A lock-free program changes many words by compare-and-swap that nobody ever changes back:
 * if all of them counted as held, each of its accesses would have a lockset of its own, larger than
 * the one before.
 *
 * <p>So an instruction by which the thread has {@value #MOST} such words at a time takes no locks,
 * as far as one can tell: they are held no longer, and neither is what it takes from then on,
 * unless it is known by then to take locks, or the word to be one.
 */
final class UnprovenWords {
  static final int MOST = 64;
  private static final List<LockWord> TOO_MANY = List.of();

  private final Int2ObjectOpenHashMap<List<LockWord>> bySite = new Int2ObjectOpenHashMap<>();

  /** The thread takes a word by the instruction at the site; returns whether that counts. */
  boolean add(ThreadState thread, int site, LockWord word) {
    List<LockWord> taken = bySite.computeIfAbsent(site, s -> new ArrayList<>());
    if (taken == TOO_MANY) {
      return false;
    }
    if (taken.size() == MOST) {
      taken.removeIf(w -> !w.isUnprovenOf(thread));
    }
    if (taken.size() < MOST) {
      taken.add(word);
      return true;
    }
    taken.forEach(w -> w.dropFrom(thread.held()));
    bySite.put(site, TOO_MANY);
    return false;
  }
}
