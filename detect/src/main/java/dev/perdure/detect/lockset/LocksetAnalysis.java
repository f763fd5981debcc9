package dev.perdure.detect.lockset;

import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.sync.LockRegistry;
import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.OrderClocks;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.detect.sync.Threads;

/** HawkSet's algorithm 1 for one pair of a window and a load. */
public final class LocksetAnalysis {
  /** Some lock protects the pair. */
  public static final int PROTECTED = -1;

  /** No lock protects the pair. */
  public static final int UNPROTECTED = Locksets.EMPTY;

  private final Locksets sets;
  private final OrderClocks orders;
  private final Threads threads;
  private final Windows windows;
  private long effectiveLocksets;
  private long ordered;
  private long intersections;
  private long emptyIntersections;

  public LocksetAnalysis(Locksets sets, OrderClocks orders, Threads threads, Windows windows) {
    this.sets = sets;
    this.orders = orders;
    this.threads = threads;
    this.windows = windows;
  }

  /**
   * The effective lockset of a window that the thread ends now: what it holds exclusively and has
   * held without interruption since the store; nothing where another thread made the store.
   */
  public int effective(int window, ThreadState ender) {
    effectiveLocksets++;
    return windows.isOf(window, ender)
        ? ender.held().exclusiveSince(windows.lockClock(window))
        : Locksets.EMPTY;
  }

  /** Whether a load before the window's end is concurrent with it by thread create and join. */
  public boolean isConcurrent(int window, int loadIndex, int loadEpoch) {
    if (loadIndex == windows.index(window)
            && threads.sameThread(loadIndex, loadEpoch, windows.epoch(window))
        || orders.orderedBefore(loadIndex, loadEpoch, windows.order(window))) {
      ordered++;
      return false;
    }
    return true;
  }

  /** Whether a load now is concurrent with the end of a window by thread create and join. */
  public boolean isConcurrent(ThreadState loader, int endIndex, int endEpoch) {
    if (loader.orderedAfter(endIndex, endEpoch)) {
      ordered++;
      return false;
    }
    return true;
  }

  /**
   * Intersects: {@link #PROTECTED}, {@link #UNPROTECTED}, or the set of words that protect the pair
   * if one of them turns out to be a lock.
   */
  public int verdict(int effective, int held) {
    intersections++;
    int common = sets.common(effective, held);
    if (common == Locksets.EMPTY) {
      emptyIntersections++;
      return UNPROTECTED;
    }
    return LockRegistry.isWord(sets.bitsOfAllLocks(common)) ? common : PROTECTED;
  }

  public long effectiveLocksets() {
    return effectiveLocksets;
  }

  public long ordered() {
    return ordered;
  }

  public long intersections() {
    return intersections;
  }

  public long emptyIntersections() {
    return emptyIntersections;
  }
}
