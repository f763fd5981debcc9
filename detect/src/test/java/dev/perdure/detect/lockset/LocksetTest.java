package dev.perdure.detect.lockset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Role;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Site 1 stores, site 2 loads, site 3 persists. */
class LocksetTest {
  private static final long X = Trace.PM + 64;
  private static final long A = 0x1000;
  private static final long B = 0x2000;
  private static final String RACE = "persistency-race store=1 load=2 lockset";

  private static Set<String> lockset(Trace trace) {
    return trace.findings(
        new DetectionOptions(Set.of(Detector.LOCKSET), PersistenceDomain.ADR, true, false));
  }

  /** Both threads have touched x, in an order that create and join do not tell. */
  private static Trace shared() {
    return new Trace().start(2, 3).on(3).lock(A).lock(B).load(X, 8, 0).unlock(B).unlock(A).on(2);
  }

  private static Trace loadUnder(Trace trace, long lock) {
    return trace.on(3).lock(lock).at(2).load(X, 8, 1).unlock(lock);
  }

  @Test
  void shouldReportStorePersistedAfterUnlock() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).unlock(A).at(3).persist(X);
    assertThat(lockset(loadUnder(trace, A))).contains(RACE);
  }

  @Test
  void shouldBeSilentWhenPersistedInsideTheSection() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).persist(X).unlock(A);
    assertThat(lockset(loadUnder(trace, A))).isEmpty();
  }

  @Test
  void shouldReportLoadUnderAnotherLock() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).persist(X).unlock(A);
    assertThat(lockset(loadUnder(trace, B))).containsExactly(RACE);
  }

  @Test
  void shouldNotCountALockThatWasTakenAgain() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).unlock(A).lock(A).persist(X).unlock(A);
    assertThat(lockset(loadUnder(trace, A))).contains(RACE);
  }

  @Test
  void shouldCountTheOtherLockThatWasHeldThroughout() {
    Trace trace = shared().lock(B).lock(A).at(1).store(X, 8, 1).unlock(A).lock(A).persist(X);
    trace.unlock(A).unlock(B);
    assertThat(lockset(loadUnder(trace, B))).isEmpty();
  }

  @Test
  void shouldCountLevelsOfRecursiveLocks() {
    Trace trace = shared().lock(A).lock(A).at(1).store(X, 8, 1).unlock(A).persist(X).unlock(A);
    assertThat(lockset(loadUnder(trace, A))).isEmpty();
  }

  @Test
  void shouldNotProtectAStoreUnderASharedLock() {
    Trace trace = shared().lockShared(A).at(1).store(X, 8, 1).persist(X).unlock(A);
    trace.on(3).lockShared(A).at(2).load(X, 8, 1).unlock(A);
    assertThat(lockset(trace)).contains(RACE);
  }

  @Test
  void shouldProtectALoadUnderASharedLock() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).persist(X).unlock(A);
    trace.on(3).lockShared(A).at(2).load(X, 8, 1).unlock(A);
    assertThat(lockset(trace)).isEmpty();
  }

  @Test
  void shouldNotProtectWhatAnotherThreadPersists() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).unlock(A);
    trace.on(1).lock(A).persist(X).unlock(A);
    assertThat(lockset(loadUnder(trace, A))).contains(RACE);
  }

  @Test
  void shouldReportALoadThatCameBeforeTheStore() {
    Trace trace = new Trace().start(2, 3).on(3).lock(A).at(2).load(X, 8, 0).unlock(A);
    trace.on(2).lock(A).at(1).store(X, 8, 1).unlock(A).persist(X);
    assertThat(lockset(trace)).containsExactly(RACE);
  }

  @Test
  void shouldBeSilentWhenTheLoaderWasJoinedBeforeTheStore() {
    Trace trace = new Trace().start(2).on(2).at(2).load(X, 8, 0).end();
    trace.on(1).join(2).at(1).store(X, 8, 1).persist(X);
    assertThat(lockset(trace)).isEmpty();
  }

  @Test
  void shouldBeSilentWhenTheLoaderWasCreatedAfterThePersist() {
    Trace trace = shared().end().on(3).end().on(1).join(2).join(3);
    trace.at(1).store(X, 8, 1).persist(X).start(4).on(4).at(2).load(X, 8, 1);
    assertThat(lockset(trace)).isEmpty();
  }

  @Test
  void shouldReportWhenTheLoaderWasCreatedBetweenStoreAndPersist() {
    Trace trace = new Trace().at(1).store(X, 8, 1).start(2).on(2).at(2).load(X, 8, 1);
    trace.on(1).persist(X);
    assertThat(lockset(trace)).containsExactly(RACE);
  }

  @Test
  void shouldReportStoreThatIsNeverPersistedOnlyInACompleteRun() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).unlock(A);
    loadUnder(trace, A);
    DetectionOptions options =
        new DetectionOptions(Set.of(Detector.LOCKSET), PersistenceDomain.ADR, true, false);
    assertThat(Trace.describe(trace.findings(options, true))).contains(RACE);
    assertThat(Trace.describe(trace.findings(options, false))).isEmpty();
  }

  @Test
  void shouldDropWhatWasPersistedBeforeASecondThreadCame() {
    Trace trace = new Trace().start(2, 3).on(2).at(1).store(X, 8, 1).persist(X);
    trace.on(3).at(2).load(X, 8, 1);
    assertThat(lockset(trace)).isEmpty();
    DetectionOptions without =
        new DetectionOptions(Set.of(Detector.LOCKSET), PersistenceDomain.ADR, false, false);
    assertThat(trace.findings(without)).containsExactly(RACE);
  }

  @Test
  void shouldNotAskToPersistBeforeReleasingALockThatTheReaderDoesNotHold() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).at(3).persist(X).unlock(A);
    assertThat(message(loadUnder(trace, B)))
        .contains("the locks that they hold do not keep them apart");
    Trace free = shared().lock(A).at(1).store(X, 8, 1).at(3).persist(X).unlock(A);
    assertThat(message(free.on(3).at(2).load(X, 8, 1)))
        .contains("persist it before other threads can see it");
  }

  @Test
  void shouldNameALockThatTheReaderHoldsShared() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).unlock(A).at(3).persist(X);
    trace.on(3).lockShared(A).at(2).load(X, 8, 1).unlock(A);
    assertThat(message(trace)).contains("persist it before releasing rwlock 0x1000");
  }

  private static String message(Trace trace) {
    return onLine2(trace).message();
  }

  private static Finding onLine2(Trace trace) {
    return trace.findings(DetectionOptions.standard(), true).stream()
        .filter(f -> f.place(Role.LOAD).isPresent())
        .filter(f -> f.place(Role.LOAD).get().frame().line() == 2)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldNotCountALockThatItsOwnerIsSaidToHaveDiedWith() {
    Trace trace = shared().lock(A).on(3).lockOfTheDead(A).unlock(A);
    trace.on(2).at(1).store(X, 8, 1).persist(X);
    assertThat(lockset(loadUnder(trace, A))).contains(RACE);
  }

  @Test
  void shouldSayThatThisRunOrderedThePair() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).unlock(A).at(3).persist(X);
    trace.lock(A).unlock(A);
    loadUnder(trace, A);
    Finding finding = onLine2(trace);
    assertThat(finding.notes()).hasSize(1).first().asString().contains("ordered the pair");
    assertThat(finding.example().orElseThrow().orderedInThisRun()).isTrue();
    assertThat(finding.place(Role.PERSIST).orElseThrow().frame().line()).isEqualTo(3);
    assertThat(finding.example().orElseThrow().storeLocks()).containsExactly("mutex 0x1000");
    assertThat(finding.message()).contains("persist it before releasing mutex 0x1000");
  }

  @Test
  void shouldForgetALockThatAnotherThreadReleased() {
    Trace trace = shared().lock(A).on(3).unlock(A).on(2).at(1).store(X, 8, 1).persist(X);
    assertThat(lockset(loadUnder(trace, A))).contains(RACE);
  }

  @Test
  void shouldTakeAnInitialisedLockForANewOne() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).persist(X).unlock(A);
    trace.event(EventKind.SYNC_DESTROY, 0, A, 0);
    assertThat(lockset(loadUnder(trace, A))).containsExactly(RACE);
  }

  @Test
  void shouldCollapseManyDisjointLocksetsOfOneSite() {
    Trace trace = shared();
    for (int i = 0; i < 1000; i++) {
      trace.on(3).lock(0x9000 + 64L * i).at(2).load(X, 8, 0).unlock(0x9000 + 64L * i);
    }
    trace.on(2).lock(0x9000).at(1).store(X, 8, 1).persist(X).unlock(0x9000);
    assertThat(lockset(trace)).contains(RACE);
  }

  @Test
  void shouldKeepTheLockThatManyLocksetsShare() {
    Trace trace = new Trace().start(2, 3);
    for (int i = 0; i < 1000; i++) {
      trace.on(3).lock(A).lock(0x9000 + 64L * i).at(2).load(X, 8, 0);
      trace.unlock(0x9000 + 64L * i).unlock(A);
    }
    trace.on(2).lock(A).at(1).store(X, 8, 1).persist(X).unlock(A);
    assertThat(lockset(trace)).isEmpty();
    trace.lock(B).at(1).store(X, 8, 1).persist(X).unlock(B);
    assertThat(lockset(trace)).containsExactly(RACE);
  }

  @Test
  void shouldNotTakeAFailedTryForALock() {
    Trace trace = shared().lock(A).at(1).store(X, 8, 1).persist(X).unlock(A);
    trace.on(3).at(2).load(X, 8, 1);
    assertThat(lockset(trace)).containsExactly(RACE);
  }

  @Test
  void shouldTreatLocksWithoutFenceAsLocks() {
    Trace trace = shared();
    trace.event(EventKind.ACQUIRE, EventInfo.LOCK_NO_FENCE, A, 0);
    trace.at(1).store(X, 8, 1).clwb(X).event(EventKind.RELEASE, EventInfo.LOCK_NO_FENCE, A, 0);
    trace.sfence();
    assertThat(lockset(loadUnder(trace, A))).contains(RACE);
    List<Finding> none = new Trace().findings(DetectionOptions.standard(), true);
    assertThat(none).isEmpty();
  }
}
