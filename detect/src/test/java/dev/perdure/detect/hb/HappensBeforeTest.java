package dev.perdure.detect.hb;

import static dev.perdure.trace.event.MemoryOrder.ACQUIRE;
import static dev.perdure.trace.event.MemoryOrder.ACQ_REL;
import static dev.perdure.trace.event.MemoryOrder.RELAXED;
import static dev.perdure.trace.event.MemoryOrder.RELEASE;
import static dev.perdure.trace.event.MemoryOrder.VOLATILE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Site 1 stores, site 2 loads. Both threads have touched x before, so nothing is private. */
class HappensBeforeTest {
  private static final long X = Trace.PM + 64;
  private static final long FLAG = 0x5000;
  private static final long SYNC = 0x6000;
  private static final String RACE = "persistency-race store=1 load=2 happens-before";

  private static Set<String> hb(Trace trace) {
    return trace.findings(
        new DetectionOptions(Set.of(Detector.HB), PersistenceDomain.ADR, false, false));
  }

  private static Trace stored() {
    return new Trace().start(2, 3).on(2).at(1).store(X, 8, 1);
  }

  private static Trace persisted() {
    return stored().persist(X);
  }

  private static Trace load(Trace trace) {
    return trace.at(2).load(X, 8, 1);
  }

  @Test
  void shouldReportUnorderedPair() {
    assertThat(hb(load(persisted().on(3)))).containsExactly(RACE);
  }

  @Test
  void shouldReportLoadWhileTheWindowIsOpenHoweverItIsOrdered() {
    Trace trace = stored().store(FLAG, 4, 1, RELEASE).on(3).load(FLAG, 4, 1, ACQUIRE);
    assertThat(hb(load(trace))).containsExactly(RACE);
  }

  @Test
  void shouldOrderByReleaseAndAcquire() {
    Trace trace = persisted().store(FLAG, 4, 1, RELEASE).on(3).load(FLAG, 4, 1, ACQUIRE);
    assertThat(hb(load(trace))).isEmpty();
  }

  /** Threads 3 and 2 load and store in turn under the lock; thread 3 is about to take it again. */
  private static Trace underTheLock() {
    Trace trace = new Trace().start(2, 3, 4).on(3).lock(SYNC).at(2).load(X, 8, 0).unlock(SYNC);
    return trace.on(2).lock(SYNC).at(1).store(X, 8, 1).persist(X);
  }

  private static Set<String> hbAndLockset(Trace trace) {
    return trace.findings(
        new DetectionOptions(
            Set.of(Detector.HB, Detector.LOCKSET), PersistenceDomain.ADR, false, false));
  }

  @Test
  void shouldOrderByALockThatIsTakenInTurn() {
    assertThat(hbAndLockset(load(underTheLock().unlock(SYNC).on(3).lock(SYNC)))).isEmpty();
  }

  @Test
  void shouldNotOrderByALockThatAStrangerReleased() {
    Trace trace = underTheLock().on(4).unlock(SYNC).on(3).lock(SYNC);
    assertThat(hbAndLockset(load(trace))).containsExactly(RACE);
  }

  @Test
  void shouldNotOrderByALockWhoseReleaseWasNotSeen() {
    assertThat(hbAndLockset(load(underTheLock().on(3).lock(SYNC)))).containsExactly(RACE);
  }

  @Test
  void shouldOrderByALockWhoseOwnerDied() {
    assertThat(hbAndLockset(load(underTheLock().end().on(3).lockOfTheDead(SYNC)))).isEmpty();
    Trace killed = underTheLock().on(3).lockOfTheDead(SYNC);
    assertThat(hbAndLockset(load(killed))).isEmpty();
    Trace later = underTheLock().end().on(4).lockOfTheDead(SYNC).unlock(SYNC).on(3).lock(SYNC);
    assertThat(hbAndLockset(load(later))).isEmpty();
  }

  @Test
  void shouldOrderOnlyThoseWhoTakeTheLockOfTheDead() {
    Trace trace = underTheLock().end().on(4).lockOfTheDead(SYNC).unlock(SYNC).on(3);
    assertThat(hb(load(trace))).containsExactly(RACE);
  }

  @Test
  void shouldRememberADeadOwnerThatWasJoined() {
    Trace trace = new Trace().start(2).on(2);
    for (int i = 3; i < 200; i++) {
      trace.start(i).on(i).end().on(2).join(i);
    }
    trace.start(200, 201).on(200).lock(SYNC).at(1).store(X, 8, 1).persist(X).end();
    trace.on(2).join(200).start(202).on(202).end();
    assertThat(hb(load(trace.on(201).lockOfTheDead(SYNC)))).isEmpty();
  }

  @Test
  void shouldNotOrderByRelaxedOrVolatileAccesses() {
    Trace relaxed = persisted().store(FLAG, 4, 1, RELAXED).on(3).load(FLAG, 4, 1, ACQUIRE);
    assertThat(hb(load(relaxed))).containsExactly(RACE);
    Trace acquire = persisted().store(FLAG, 4, 1, RELEASE).on(3).load(FLAG, 4, 1, RELAXED);
    assertThat(hb(load(acquire))).containsExactly(RACE);
    Trace plain = persisted().store(FLAG, 4, 1, VOLATILE).on(3).load(FLAG, 4, 1, VOLATILE);
    assertThat(hb(load(plain))).containsExactly(RACE);
  }

  @Test
  void shouldNotOrderByALoadThatTookAnOlderValue() {
    Trace trace = new Trace().start(2, 3).on(2).store(FLAG, 4, 7, RELEASE);
    trace.at(1).store(X, 8, 1).persist(X).store(FLAG, 4, 1, RELEASE);
    assertThat(hb(load(trace.on(3).load(FLAG, 4, 7, ACQUIRE)))).containsExactly(RACE);
  }

  @Test
  void shouldOrderThroughAReadModifyWriteChain() {
    Trace trace = persisted().store(FLAG, 4, 1, RELEASE);
    trace.on(1).rmw(EventInfo.RMW_OTHER, FLAG, 4, 1, 2, RELAXED);
    assertThat(hb(load(trace.on(3).load(FLAG, 4, 2, ACQUIRE)))).isEmpty();
  }

  @Test
  void shouldNotOrderThroughARelaxedStoreInTheChain() {
    Trace trace = persisted().store(FLAG, 4, 1, RELEASE).store(FLAG, 4, 2, RELAXED);
    assertThat(hb(load(trace.on(3).load(FLAG, 4, 2, ACQUIRE)))).containsExactly(RACE);
  }

  @Test
  void shouldOrderByFencesAroundRelaxedAccesses() {
    Trace trace = persisted().fence(EventInfo.FENCE_RELEASE).store(FLAG, 4, 1, RELAXED);
    trace.on(3).load(FLAG, 4, 1, RELAXED).fence(EventInfo.FENCE_ACQUIRE);
    assertThat(hb(load(trace))).isEmpty();
  }

  @Test
  void shouldOrderByAcquiringReadModifyWrites() {
    Trace trace = persisted().rmw(EventInfo.RMW_OTHER, FLAG, 4, 0, 1, RELEASE);
    trace.on(3).rmw(EventInfo.RMW_OTHER, FLAG, 4, 1, 2, ACQ_REL);
    assertThat(hb(load(trace))).isEmpty();
  }

  @Test
  void shouldOrderByMutexAndNotByReadersAmongThemselves() {
    Trace mutex = new Trace().start(2, 3).on(2).lock(SYNC).at(1).store(X, 8, 1).persist(X);
    assertThat(hb(load(mutex.unlock(SYNC).on(3).lock(SYNC)))).isEmpty();
    Trace readers = new Trace().start(2, 3).on(2).lockShared(SYNC).at(1).store(X, 8, 1).persist(X);
    assertThat(hb(load(readers.unlock(SYNC).on(3).lockShared(SYNC)))).containsExactly(RACE);
    Trace writer = new Trace().start(2, 3).on(2).lockShared(SYNC).at(1).store(X, 8, 1).persist(X);
    assertThat(hb(load(writer.unlock(SYNC).on(3).lock(SYNC)))).isEmpty();
  }

  @Test
  void shouldOrderBySemaphoreOnceJoinAndCreate() {
    Trace semaphore = persisted().event(EventKind.SEM_POST, 0, SYNC, 0);
    assertThat(hb(load(semaphore.on(3).event(EventKind.SEM_WAIT, 0, SYNC, 0)))).isEmpty();
    Trace once = persisted().event(EventKind.ONCE_DONE, 0, SYNC, 0);
    assertThat(hb(load(once.on(3).event(EventKind.ONCE_PASS, 0, SYNC, 0)))).isEmpty();
    assertThat(hb(load(persisted().end().on(3).join(2)))).isEmpty();
    assertThat(hb(load(persisted().start(4).on(4)))).isEmpty();
  }

  @Test
  void shouldOrderByBarrierRounds() {
    Trace trace = persisted();
    trace
        .event(EventKind.BARRIER_ENTER, 0, SYNC, 0)
        .on(3)
        .event(EventKind.BARRIER_ENTER, 0, SYNC, 0);
    trace.event(EventKind.BARRIER_LEAVE, 0, SYNC, 0);
    assertThat(hb(load(trace))).isEmpty();
    Trace late = stored();
    late.event(EventKind.BARRIER_ENTER, 0, SYNC, 0)
        .on(3)
        .event(EventKind.BARRIER_ENTER, 0, SYNC, 0);
    late.event(EventKind.BARRIER_LEAVE, 0, SYNC, 0)
        .on(2)
        .event(EventKind.BARRIER_LEAVE, 0, SYNC, 0);
    assertThat(hb(load(late.persist(X).on(3)))).containsExactly(RACE);
  }

  @Test
  void shouldOrderForkedProcesses() {
    Trace trace = new Trace().at(1).store(X, 8, 1).persist(X);
    trace.event(EventKind.PROCESS_FORK, 0, 0, 2).on(2).begin(1);
    trace.event(EventKind.PROCESS_BEGIN, 0, 0, 1);
    assertThat(hb(load(trace))).isEmpty();
  }

  @Test
  void shouldReportEarlierLoadUnlessItHappensBefore() {
    Trace race = load(new Trace().start(2, 3).on(3)).on(2).at(1).store(X, 8, 1).persist(X);
    assertThat(hb(race)).containsExactly(RACE);
    Trace ordered = load(new Trace().start(2, 3).on(3)).store(FLAG, 4, 1, RELEASE);
    ordered.on(2).load(FLAG, 4, 1, ACQUIRE).at(1).store(X, 8, 1).persist(X);
    assertThat(hb(ordered)).isEmpty();
  }

  @Test
  void shouldTakeThePersistersFenceAsTheEnd() {
    Trace trace = stored().store(FLAG, 4, 1, RELEASE).on(1).load(FLAG, 4, 1, ACQUIRE).persist(X);
    trace.store(FLAG, 4, 2, RELEASE).on(3).load(FLAG, 4, 2, ACQUIRE);
    assertThat(hb(load(trace))).isEmpty();
  }

  @Test
  void shouldNotMixBytesOfAWord() {
    Trace trace = new Trace().start(2, 3).on(2).at(1).store(X, 4, 1).on(3).at(2).load(X + 4, 4, 0);
    assertThat(hb(trace)).isEmpty();
    assertThat(hb(trace.at(2).load(X + 3, 2, 0))).containsExactly(RACE);
  }

  @Test
  void shouldExemptRelaxedBlocksAndLibraries() {
    Trace relaxed = stored().on(3).mark(EventKind.RELAXED_BEGIN);
    assertThat(hb(load(relaxed).mark(EventKind.RELAXED_END))).isEmpty();
    assertThat(hb(load(stored().on(3).mark(EventKind.LIBRARY_ENTER)))).isEmpty();
    assertThat(hb(load(stored().on(3).mark(EventKind.SKIP_DETECTION_BEGIN)))).isEmpty();
    assertThat(hb(load(relaxed))).containsExactly(RACE);
  }

  @Test
  void shouldDropWhatCameBeforeTheFirstRegionOfInterest() {
    Trace trace = load(stored().on(3)).mark(EventKind.ROI_BEGIN);
    trace.at(3).load(X, 8, 1).at(4).store(X + 64, 8, 1).on(2).at(5).load(X + 64, 8, 1);
    assertThat(hb(trace)).containsExactly("persistency-race store=4 load=5 happens-before");
  }

  @Test
  void shouldReuseIndicesOfJoinedThreadsWithoutLosingRaces() {
    Trace trace = new Trace();
    for (int i = 2; i < 200; i++) {
      trace.on(1).start(i).on(i).load(X, 8, 0).at(1).store(X, 8, i).end().on(1).join(i);
    }
    assertThat(hb(trace)).containsExactly("persistency-race store=1 load=0 happens-before");
  }
}
