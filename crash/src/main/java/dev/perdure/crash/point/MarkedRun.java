package dev.perdure.crash.point;

import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.PoolRange;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;

/**
 * Follows what the threads of a run are in the middle of: transactions and what they know of,
 * library calls, and what the program marks with perdure.h.
 */
abstract class MarkedRun implements EventHandler {
  final ReplayedPools pools;
  final InjectionScope scope;
  final RedundantLogs redundantLogs;
  private final Int2ObjectOpenHashMap<ThreadMarks> threads = new Int2ObjectOpenHashMap<>();

  MarkedRun(ReplayedPools pools, InjectionScope scope, RedundantLogs redundantLogs) {
    this.pools = pools;
    this.scope = scope;
    this.redundantLogs = redundantLogs;
  }

  /** The event orders what came before it, so that a failure may come just before it. */
  abstract void ordering(Event e);

  final ThreadMarks marks(Event e) {
    return threads.computeIfAbsent(e.thread(), t -> new ThreadMarks());
  }

  /** What the transactions under way have logged. */
  final LoggedRanges logged() {
    LoggedRanges logged = new LoggedRanges();
    threads.values().forEach(t -> logged.addAll(t.logged));
    return logged;
  }

  @Override
  public final void txBegin(Event e) {
    marks(e).transactionDepth++;
  }

  @Override
  public final void txAdd(Event e) {
    long address = pools.address(e);
    ThreadMarks marks = marks(e);
    if (address != PoolAddress.NONE && e.value() > 0) {
      if (!marks.exempt()) {
        redundantLogs.added(e, marks.known.covers(address, e.value()));
      }
      marks.known.addWhole(address, e.value());
      marks.adding.add(new PoolRange(address, e.value()));
    }
  }

  @Override
  public final void alloc(Event e) {
    long address = pools.address(e);
    if (address == PoolAddress.NONE) {
      return;
    }
    ThreadMarks marks = marks(e);
    if (marks.transactionDepth > 0) {
      marks.known.addWhole(address, e.value());
    }
    pools.allocate(e, address, marks);
  }

  @Override
  public final void txCommit(Event e) {
    if (marks(e).transactionDepth == 1) {
      marks(e).endTransaction();
      pools.noteChange();
    }
  }

  @Override
  public final void txAbort(Event e) {
    marks(e).endTransaction();
  }

  @Override
  public final void txEnd(Event e) {
    ThreadMarks marks = marks(e);
    marks.transactionDepth = Math.max(0, marks.transactionDepth - 1);
    if (marks.transactionDepth == 0) {
      marks.endTransaction();
    }
  }

  @Override
  public final void libraryEnter(Event e) {
    ThreadMarks marks = marks(e);
    if (pools.changed()) {
      ordering(e);
    }
    marks.inLibrary = true;
  }

  @Override
  public final void libraryLeave(Event e) {
    ThreadMarks marks = marks(e);
    marks.inLibrary = false;
    if (!marks.adding.isEmpty()) {
      marks.adding.forEach(r -> marks.logged.add(r.address(), r.length(), pools.memory()));
      marks.adding.clear();
      pools.noteChange();
    }
  }

  @Override
  public final void roiBegin(Event e) {
    scope.beginInterest();
  }

  @Override
  public final void roiEnd(Event e) {
    if (scope.inOutermostInterest() && pools.changed()) {
      ordering(e);
    }
    scope.endInterest();
  }

  @Override
  public final void relaxedBegin(Event e) {
    marks(e).relaxed++;
  }

  @Override
  public final void relaxedEnd(Event e) {
    marks(e).relaxed = Math.max(0, marks(e).relaxed - 1);
  }

  @Override
  public final void skipDetectionBegin(Event e) {
    marks(e).skipped++;
  }

  @Override
  public final void skipDetectionEnd(Event e) {
    marks(e).skipped = Math.max(0, marks(e).skipped - 1);
  }

  @Override
  public final void skipFailuresBegin(Event e) {
    scope.beginSkip();
  }

  @Override
  public final void skipFailuresEnd(Event e) {
    scope.endSkip();
  }

  @Override
  public final void failurePoint(Event e) {
    ordering(e);
  }

  @Override
  public final void detectionComplete(Event e) {
    if (pools.changed()) {
      ordering(e);
    }
    scope.complete();
  }
}
