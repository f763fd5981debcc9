package dev.perdure.detect;

import dev.perdure.detect.calm.CalmLines;
import dev.perdure.detect.flush.Operations;
import dev.perdure.detect.regions.OpenRegions;
import dev.perdure.detect.shadow.Accesses;
import dev.perdure.detect.shadow.PendingFlushes;
import dev.perdure.detect.shadow.Persistence;
import dev.perdure.detect.shadow.PmRanges;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.detect.sync.Threads;
import dev.perdure.detect.taint.TaintAnalysis;
import dev.perdure.trace.event.Event;

/**
 * What each event means: synchronisation first or last, as it acquires or releases, and in between
 * what it does to persistent memory. Here is what kinds of events have in common; those that
 * analyse them extend it, so that each has at hand, in its own object, what an event may touch.
 */
abstract class Events {
  final boolean findsRaces;
  final boolean judgesOperations;
  final boolean followsData;
  final TaintAnalysis taint;
  final Origins origins;
  final Threads threads;
  final Synchronisation synchronisation;
  final PmRanges pm;
  final Persistence persistence;
  final Accesses accesses;
  final CalmLines calm;
  final Operations flushes;
  final Operations fences;
  private final boolean opensRegions;
  private final OpenRegions openRegions;
  private final PendingFlushes pending;
  private long count;

  Events(Engines engines) {
    findsRaces = engines.findsRaces;
    judgesOperations = engines.judgesOperations;
    followsData = engines.followsData;
    taint = engines.taint;
    origins = engines.origins;
    threads = engines.threads;
    synchronisation = engines.synchronisation;
    pm = engines.pm;
    persistence = engines.persistence;
    accesses = engines.accesses;
    calm = engines.calm;
    flushes = engines.flushes;
    fences = engines.fences;
    opensRegions = engines.opensRegions;
    openRegions = engines.openRegions;
    pending = engines.pending;
  }

  /** How many events have had a meaning. */
  final long count() {
    return count;
  }

  final void addCount(int more) {
    count += more;
  }

  /** The thread of a rare event, with which its visits to calm lines are over. */
  final ThreadState thread(Event e) {
    ThreadState t = staying(e);
    calm.settle(t);
    return t;
  }

  /** The thread of an event that may be part of its visits to calm lines. */
  final ThreadState staying(Event e) {
    count++;
    return threads.of(e.thread());
  }

  final int origin(Event e) {
    return origins.of(e.site(), e.stack());
  }

  final boolean fence(ThreadState t, Event e) {
    return fence(t, origin(e), e.time());
  }

  final boolean fence(ThreadState t, int origin, long time) {
    boolean needed = calm.fence(t, origin, time);
    return !pending.isEmpty(t.index()) && persistence.fence(t, origin, time) || needed;
  }

  /** Whether a fence of the thread may have something to wait for. */
  final boolean isPending(ThreadState t) {
    return !pending.isEmpty(t.index()) || calm.isPending(t);
  }

  /** A region starts here: it is announced, or an access is made. */
  final void open(ThreadState t, boolean store, long address, long length) {
    if (opensRegions && !t.isExempt() && pm.contains(address)) {
      openRegions.open(t, store, address, length);
    }
  }

  final void stored(ThreadState t, long address, long length) {
    if (opensRegions && !t.isExempt()) {
      openRegions.stored(t, address, length);
    }
  }

  final void follow(
      ThreadState t, int origin, long time, long address, long length, long value, boolean known) {
    if (followsData) {
      taint.load(t, origin, time, address, length, value, known);
    }
  }
}
