package dev.perdure.trace.live;

import dev.perdure.trace.event.BatchedSource;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;

/**
 * Merges the rings of a running target into one stream in the order of time stamps.
 *
 * <p>An event may go out when no ring can bring an earlier one. Rings with a known next event are
 * in a heap. Every other ring has a <em>safe time</em>, below which it brings nothing any more: the
 * time of its last event, and, whenever a sample finds nothing claimed in it, the latest time that
 * was visible anywhere {@value #SETTLE_NANOS} ns before that sample (a producer claims first and
 * stamps then; the delay covers its store buffer). The smallest safe time is the horizon; rings
 * that do not exist yet are covered by sampling their number alike. A ring with a claimed,
 * uncommitted slot keeps its safe time until the slot is committed or its thread is found dead.
 */
public final class LiveSource extends BatchedSource {
  static final long SETTLE_NANOS = 50_000;

  private static final int EVENTS_BETWEEN_REFRESHES = 2048;
  private static final int SPINS = 32;
  private static final long SHORTEST_PARK = 20_000;
  private static final long LONGEST_PARK = 1_000_000;
  private static final long CHECK_NANOS = 5_000_000;
  private static final long GIVE_UP_NANOS = 1_000_000_000;
  private static final long PLAUSIBLE_TICKS = 1L << 43;

  private final Recording recording;
  private final Liveness liveness;
  private final RingHeap ready = new RingHeap();
  private final List<Ring> waiting = new ArrayList<>();
  private final ClockRate clockRate = new ClockRate();
  private volatile boolean finished;
  private volatile Thread parked;
  private int known;
  private long horizon = Long.MIN_VALUE;

  /** The top of the heap may go out up to here: the horizon, or the second ring's time. */
  private long limit = Long.MIN_VALUE;

  /** The safe time of rings that do not exist yet. */
  private long futureSafeTime = Long.MIN_VALUE;

  private long visibleTime = Long.MIN_VALUE;
  private long visibleSince;
  private long lastTime = Long.MIN_VALUE;
  private long late;
  private int untilRefresh;
  private int idleRounds;

  public LiveSource(Recording recording, Liveness liveness) {
    this.recording = recording;
    this.liveness = liveness;
  }

  /**
   * Says, from any thread, that no process of the target writes any more: what is committed still
   * comes out, then the source ends.
   */
  public void finish() {
    finished = true;
    LockSupport.unpark(parked);
  }

  @Override
  protected boolean read(EventBatch batch) throws IOException {
    batch.clear();
    while (!batch.isFull()) {
      if (untilRefresh > 0 && !ready.isEmpty() && ready.top().headTime() <= limit) {
        take(batch);
      } else if (untilRefresh > 0 && batch.size() > 0) {
        break;
      } else if (!refresh()) {
        break;
      }
    }
    countLate(batch);
    return batch.size() > 0;
  }

  private void take(EventBatch batch) {
    int before = batch.size();
    Ring ring = ready.top();
    boolean more = ring.take(batch, limit);
    untilRefresh -= batch.size() - before;
    if (!more) {
      ready.removeTop();
      waiting.add(ring);
      horizon = Math.min(horizon, ring.safeTime);
      setLimit();
    } else if (ring.headTime() > limit) {
      ready.topGrew();
      setLimit();
    }
  }

  private void countLate(EventBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      long time = batch.time(i);
      if (time < lastTime) {
        late++;
      } else {
        lastTime = time;
      }
    }
  }

  private void setLimit() {
    limit = Math.min(horizon, ready.secondTime());
  }

  /** Looks at all rings anew, and waits if that brings nothing. False at the end of the stream. */
  private boolean refresh() throws IOException {
    untilRefresh = EVENTS_BETWEEN_REFRESHES;
    // Read first: what the target wrote before it ended is then visible to the samples below.
    boolean last = finished;
    long now = System.nanoTime();
    boolean settled = now - visibleSince >= SETTLE_NANOS;
    discover();
    if (last) {
      finishRings();
    }
    sample(settled, now);
    if (last) {
      horizon = Long.MAX_VALUE;
      setLimit();
      return !ready.isEmpty();
    }
    setLimit();
    if (settled) {
      lookAhead();
    }
    if (!ready.isEmpty() && ready.top().headTime() <= limit) {
      idleRounds = 0;
    } else {
      pause();
    }
    return true;
  }

  private void discover() throws IOException {
    for (int rings = recording.rings(); known < rings; known++) {
      Ring ring = recording.ring(known);
      ring.safeTime = futureSafeTime;
      waiting.add(ring);
    }
  }

  private void sample(boolean settled, long now) {
    if (settled) {
      futureSafeTime = Math.max(futureSafeTime, visibleTime);
    }
    horizon = futureSafeTime;
    for (int i = waiting.size() - 1; i >= 0; i--) {
      Ring ring = waiting.get(i);
      boolean idle = ring.idle();
      if (idle && settled) {
        ring.safeTime = Math.max(ring.safeTime, visibleTime);
      }
      if (idle ? ring.peek() : ring.fill()) {
        waiting.set(i, waiting.get(waiting.size() - 1));
        waiting.remove(waiting.size() - 1);
        ready.add(ring);
        continue;
      }
      if (!idle) {
        checkStuck(ring, now);
      } else if (ring.isOverdue(now, CHECK_NANOS)
          && liveness.of(ring.pid(), ring.tid()) == Liveness.State.GONE) {
        ring.threadEnded();
      }
      horizon = Math.min(horizon, ring.safeTime);
    }
  }

  /**
   * A slot stays uncommitted for long when its thread was killed, when a signal handler left the
   * hook by longjmp, or when the thread was not given a processor. Only in the last case will it be
   * committed.
   */
  private void checkStuck(Ring ring, long now) {
    if (ring.stuckSince == 0) {
      ring.stuckSince = now;
      ring.nextCheck = now + CHECK_NANOS;
    } else if (now - ring.nextCheck >= 0) {
      ring.nextCheck = now + CHECK_NANOS;
      boolean forLong = now - ring.stuckSince >= GIVE_UP_NANOS;
      boolean lost =
          switch (liveness.of(ring.pid(), ring.tid())) {
            case GONE -> true;
            case ASLEEP -> forLong;
            case RUNNING -> forLong && ring.committedBehind();
          };
      if (lost) {
        ring.abandon(this::plausible);
      }
    }
  }

  private void finishRings() {
    for (Ring ring : waiting) {
      ring.finish(this::plausible);
    }
  }

  /** The time of a real event is within an hour or so of what was seen, by any cycle counter. */
  private boolean plausible(int kind, long time, int site, int stack) {
    return !EventKind.name(kind).isEmpty()
        && Integer.compareUnsigned(site, recording.nextSite()) < 0
        && Integer.compareUnsigned(stack, recording.stackSlots()) <= 0
        && (!Layout.hasOwnTime(kind, time)
            || lastTime == Long.MIN_VALUE
            || Math.abs(time - lastTime) < PLAUSIBLE_TICKS);
  }

  private void lookAhead() {
    for (int i = 0; i < ready.size(); i++) {
      Ring ring = ready.get(i);
      ring.fill();
      // The first event may be the latest: what a thread claims before a signal comes, it may stamp
      // after everything that the handler records.
      visibleTime = Math.max(visibleTime, Math.max(ring.headTime(), ring.lastCopiedTime()));
    }
    visibleSince = System.nanoTime();
    clockRate.saw(visibleTime, visibleSince);
  }

  private void pause() {
    int rounds = idleRounds++;
    parked = Thread.currentThread();
    if (!ready.isEmpty()) {
      LockSupport.parkNanos(Math.min(LONGEST_PARK, SETTLE_NANOS * (1 + rounds / 16)));
    } else if (rounds < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(Math.min(LONGEST_PARK, SHORTEST_PARK * (1 + (rounds - SPINS) / 8)));
    }
  }

  /** Events that came out with a time before their predecessor's. */
  public long late() {
    return late;
  }

  /** Slots that dead producers had taken and not committed. */
  public long skipped() {
    long n = 0;
    for (int i = 0; i < ready.size(); i++) {
      n += ready.get(i).skipped();
    }
    for (Ring ring : waiting) {
      n += ring.skipped();
    }
    return n;
  }

  /** Times that producers had to wait for this reader. */
  public long waits() {
    return waiting.stream().mapToLong(Ring::waits).sum();
  }

  /** The clock's rate as seen so far; empty for the counter, and where too little was seen. */
  public OptionalDouble ticksPerSecond() {
    return recording.clock() == Layout.CLOCK_TSC ? clockRate.perSecond() : OptionalDouble.empty();
  }
}
