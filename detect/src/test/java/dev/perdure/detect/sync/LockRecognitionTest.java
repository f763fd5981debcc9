package dev.perdure.detect.sync;

import static dev.perdure.trace.event.MemoryOrder.ACQUIRE;
import static dev.perdure.trace.event.MemoryOrder.PLAIN;
import static dev.perdure.trace.event.MemoryOrder.RELAXED;
import static dev.perdure.trace.event.MemoryOrder.RELEASE;
import static dev.perdure.trace.event.MemoryOrder.SEQ_CST;
import static dev.perdure.trace.event.MemoryOrder.VOLATILE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.finding.Finding;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Site 1 stores to x, site 2 loads it; the lock is a word in ordinary memory or in PM. */
class LockRecognitionTest {
  private static final long X = Trace.PM + 64;
  private static final long WORD = 0x5000;
  private static final long PM_WORD = Trace.PM + 256;

  private interface Section {
    void run(Trace trace);
  }

  private static void spin(Trace trace, long word, int releaseOrder, Section section) {
    trace.cas(word, 4, 0, 1, ACQUIRE);
    section.run(trace);
    trace.store(word, 4, 0, releaseOrder);
  }

  private static void swap(Trace trace, long word, Section section) {
    trace.exchange(word, 4, 0, 1, ACQUIRE);
    section.run(trace);
    trace.exchange(word, 4, 1, 0, RELEASE);
  }

  private static void load(Trace trace) {
    trace.at(2).load(X, 8, 1);
  }

  private static void storeAndPersist(Trace trace) {
    trace.at(1).store(X, 8, 1).persist(X);
  }

  private static Trace threads() {
    return new Trace().start(2, 3).on(3);
  }

  @Test
  void shouldRecogniseCompareAndSwapWithStore() {
    Trace trace = threads();
    spin(trace, WORD, RELEASE, LockRecognitionTest::load);
    spin(trace.on(2), WORD, RELEASE, LockRecognitionTest::storeAndPersist);
    spin(trace.on(3), WORD, RELEASE, LockRecognitionTest::load);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldOrderThroughARecognisedLockThatAVolatileStoreFrees() {
    Trace trace = threads();
    spin(trace, WORD, VOLATILE, LockRecognitionTest::load);
    spin(trace.on(2), WORD, VOLATILE, LockRecognitionTest::storeAndPersist);
    spin(trace.on(3), WORD, VOLATILE, LockRecognitionTest::load);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldRecogniseExchange() {
    Trace trace = threads();
    swap(trace, WORD, LockRecognitionTest::load);
    swap(trace.on(2), WORD, LockRecognitionTest::storeAndPersist);
    trace.on(3).exchange(WORD, 4, 1, 1, ACQUIRE); // somebody spins
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldReportPersistAfterTheRelease() {
    Trace trace = threads();
    spin(trace, WORD, RELEASE, LockRecognitionTest::load);
    spin(trace.on(2), WORD, RELEASE, t -> t.at(1).store(X, 8, 1));
    trace.persist(X);
    spin(trace.on(3), WORD, RELEASE, LockRecognitionTest::load);
    assertThat(trace.findings())
        .containsExactly("persistency-race store=1 load=2 lockset,region-overlap,happens-before");
  }

  @Test
  void shouldNotTakeAFailedCompareAndSwapForAnAcquisition() {
    Trace trace = threads();
    spin(trace, WORD, RELEASE, LockRecognitionTest::load);
    spin(trace.on(2), WORD, RELEASE, LockRecognitionTest::storeAndPersist);
    trace.on(3).casFailed(WORD, 4, 1, RELAXED).at(2).load(X, 8, 1);
    assertThat(trace.findings())
        .containsExactly("persistency-race store=1 load=2 lockset,region-overlap,happens-before");
  }

  @Test
  void shouldReportAtTheEndWhatOnlyAnUnconfirmedWordProtects() {
    Trace trace = threads().at(2).load(X, 8, 0).on(2);
    trace.cas(WORD, 4, 0, 1, SEQ_CST).at(1).store(X, 8, 1).persist(X);
    trace.store(WORD, 4, 2, SEQ_CST).on(3).load(WORD, 4, 2, SEQ_CST).at(2).load(X, 8, 1);
    assertThat(trace.findings())
        .containsExactly("persistency-race store=1 load=2 lockset,region-overlap,happens-before");
  }

  @Test
  void shouldRefuteAWordThatAnotherThreadChangesWhileItIsHeld() {
    Trace trace = threads();
    spin(trace, WORD, RELEASE, LockRecognitionTest::load);
    spin(trace.on(2), WORD, RELEASE, LockRecognitionTest::storeAndPersist);
    trace.on(2).cas(WORD, 4, 0, 1, SEQ_CST).on(3).cas(WORD, 4, 1, 7, SEQ_CST);
    assertThat(trace.findings()).containsExactly("persistency-race store=1 load=2 lockset");
  }

  @Test
  void shouldNotTakeATreiberStackForALock() {
    Trace trace = threads();
    trace.cas(WORD, 8, 0, 0x10, SEQ_CST).at(2).load(X, 8, 0).cas(WORD, 8, 0x10, 0, SEQ_CST);
    trace.on(2).cas(WORD, 8, 0, 0x20, SEQ_CST).at(1).store(X, 8, 1).persist(X);
    trace.cas(WORD, 8, 0x20, 0x30, SEQ_CST);
    assertThat(trace.findings()).containsExactly("persistency-race store=1 load=2 lockset");
  }

  @Test
  void shouldNotTakeACounterForALock() {
    Trace trace = threads().at(2).load(X, 8, 0);
    trace.rmw(EventInfo.RMW_OTHER, WORD, 4, 0, 1, SEQ_CST);
    trace.on(2).at(1).store(X, 8, 1).persist(X);
    trace.rmw(EventInfo.RMW_OTHER, WORD, 4, 1, 0, SEQ_CST);
    assertThat(trace.findings())
        .containsExactly("persistency-race store=1 load=2 lockset,region-overlap,happens-before");
  }

  @Test
  void shouldNotTakeASequenceLockForALock() {
    Trace trace = threads().at(2).load(X, 8, 0).on(2);
    trace.cas(WORD, 4, 0, 1, SEQ_CST).at(1).store(X, 8, 1).persist(X).store(WORD, 4, 2, RELEASE);
    trace.on(3).cas(WORD, 4, 2, 3, SEQ_CST).at(2).load(X, 8, 1).store(WORD, 4, 4, RELEASE);
    assertThat(trace.findings())
        .containsExactly("persistency-race store=1 load=2 lockset,region-overlap,happens-before");
  }

  /** Taken by setting a bit; freed by an addition that clears it and counts. */
  private static void version(Trace trace, int site, long word, long from, Section section) {
    trace.at(site).cas(word, 8, from, from + 2, SEQ_CST);
    section.run(trace);
    trace.at(9).rmw(EventInfo.RMW_OTHER, word, 8, from + 2, from + 4, SEQ_CST);
  }

  @Test
  void shouldRecogniseLocksThatCountVersions() {
    Trace trace = threads().rmw(EventInfo.RMW_OTHER, PM_WORD, 8, 0, 1L << 62, SEQ_CST);
    version(trace, 7, PM_WORD, 1L << 62, LockRecognitionTest::load);
    version(trace.on(2), 7, PM_WORD, (1L << 62) + 4, LockRecognitionTest::storeAndPersist);
    version(trace.on(3), 7, PM_WORD, (1L << 62) + 8, LockRecognitionTest::load);
    trace.on(2).at(8).load(PM_WORD, 8, (1L << 62) + 12, SEQ_CST);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldReportPersistAfterTheReleaseOfALockThatCountsVersions() {
    Trace trace = threads();
    version(trace, 7, WORD, 0, LockRecognitionTest::load);
    version(trace.on(2), 7, WORD, 4, t -> t.at(1).store(X, 8, 1));
    trace.persist(X);
    version(trace.on(3), 7, WORD, 8, LockRecognitionTest::load);
    assertThat(trace.findings())
        .containsExactly("persistency-race store=1 load=2 lockset,region-overlap,happens-before");
  }

  @Test
  void shouldRecogniseAVersionThatIsSeldomTakenByAnInstructionThatTakesLocks() {
    Trace trace = threads();
    version(trace, 7, PM_WORD, 0, t -> {});
    version(trace.on(2), 7, PM_WORD, 4, t -> {});
    version(trace.on(3), 7, PM_WORD, 8, t -> {});
    version(trace, 7, PM_WORD + 64, 0, t -> {});
    trace.on(2).at(8).load(PM_WORD + 64, 8, 4, SEQ_CST);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldLetALockThatCountsVersionsEndInAnotherStep() {
    Trace trace = threads();
    version(trace, 7, PM_WORD, 0, t -> {});
    version(trace.on(2), 7, PM_WORD, 4, t -> {});
    version(trace.on(3), 7, PM_WORD, 8, t -> {});
    trace.at(7).cas(PM_WORD, 8, 12, 14, SEQ_CST);
    trace.at(10).rmw(EventInfo.RMW_OTHER, PM_WORD, 8, 14, 17, SEQ_CST);
    trace.on(2).at(8).load(PM_WORD, 8, 17, SEQ_CST);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldRecogniseALockThatCountsFewVersionsAndStartsAgain() {
    Trace trace = threads();
    for (long from : new long[] {8, 12, 0, 4, 8}) {
      trace.at(7).cas(PM_WORD, 1, from, from + 2, SEQ_CST);
      trace.at(9).store(PM_WORD, 1, (from + 4) % 16, RELEASE);
    }
    trace.on(2).at(8).load(PM_WORD, 1, 12, SEQ_CST);
    trace.at(7).cas(PM_WORD, 1, 12, 14, SEQ_CST).at(9).store(PM_WORD, 1, 0, RELEASE);
    for (long from : new long[] {0, 4, 8}) {
      trace.at(7).cas(PM_WORD, 1, from, from + 2, SEQ_CST);
      trace.at(9).store(PM_WORD, 1, from + 4, RELEASE);
    }
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldLetFlagsChangeBesideALockThatCountsVersions() {
    Trace trace = threads();
    version(trace, 7, PM_WORD, 0, t -> {});
    trace.on(2).at(10).rmw(EventInfo.RMW_OTHER, PM_WORD, 8, 4, 4 | 1L << 32, SEQ_CST);
    version(trace, 7, PM_WORD, 4 | 1L << 32, LockRecognitionTest::storeAndPersist);
    trace.on(3).at(7).cas(PM_WORD, 8, 8 | 1L << 32, 10 | 1L << 32, SEQ_CST);
    load(trace);
    trace.on(2).at(11).cas(PM_WORD, 8, 10 | 1L << 32, 10, SEQ_CST);
    trace.on(3).at(9).rmw(EventInfo.RMW_OTHER, PM_WORD, 8, 10, 12, SEQ_CST);
    assertThat(trace.findings()).isEmpty();
  }

  /** Masstree's: freed without a new version where nothing was changed under it. */
  private static void unchanged(Trace trace, int site, long word, long from, Section section) {
    trace.at(site).cas(word, 8, from, from + 2, SEQ_CST);
    section.run(trace);
    trace.at(9).rmw(EventInfo.RMW_OTHER, word, 8, from + 2, from, SEQ_CST);
  }

  @Test
  void shouldRecogniseLocksThatCountSomeOfTheirVersionsOnly() {
    Trace trace = threads();
    unchanged(trace, 7, PM_WORD, 0, LockRecognitionTest::load);
    version(trace, 7, PM_WORD, 0, t -> {});
    unchanged(trace.on(2), 7, PM_WORD, 4, t -> {});
    version(trace.on(2), 7, PM_WORD, 4, LockRecognitionTest::storeAndPersist);
    version(trace.on(3), 7, PM_WORD, 8, LockRecognitionTest::load);
    trace.on(2).at(8).load(PM_WORD, 8, 12, SEQ_CST);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldNotTakeAWordThatIsClaimedAndGivenBackOrEndedForALock() {
    Trace trace = threads();
    for (int i = 0; i < 4; i++) {
      long word = PM_WORD + 64 * i;
      trace.on(2 + i % 2).at(7).cas(word, 4, 0, 1, SEQ_CST).at(8).store(word, 4, 0, RELEASE);
      trace.at(7).cas(word, 4, 0, 1, SEQ_CST).at(9).store(word, 4, 2, RELEASE);
      trace.on(3 - i % 2).at(10).load(word, 4, 2, ACQUIRE);
    }
    assertThat(trace.findings()).anyMatch(f -> f.contains("store=9 load=10"));
  }

  @Test
  void shouldNotLetAShortLivedVersionSpeakAgainstTheOthers() {
    Trace trace = threads();
    version(trace, 7, PM_WORD + 64, 0, t -> {});
    trace.at(7).cas(PM_WORD + 64, 8, 4, 6, SEQ_CST);
    trace.at(10).rmw(EventInfo.RMW_OTHER, PM_WORD + 64, 8, 6, 9, SEQ_CST);
    for (int i = 0; i < 3; i++) {
      version(trace.on(2 + i % 2), 7, PM_WORD, 4 * i, t -> {});
    }
    trace.on(2).at(8).load(PM_WORD + 64, 8, 9, SEQ_CST);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldNotTakeAWordThatOneThreadCountsForALock() {
    Trace trace = threads();
    for (int i = 0; i < 4; i++) {
      version(trace, 7, PM_WORD, 4 * i, t -> {});
    }
    assertThat(trace.findings()).isNotEmpty();
  }

  @Test
  void shouldNotTakeStatesForVersions() {
    Trace trace = threads();
    for (int i = 0; i < 3; i++) {
      trace.on(3).at(7).cas(PM_WORD, 4, 0, 1, SEQ_CST).at(8).store(PM_WORD, 4, 2, RELEASE);
      trace.on(2).at(9).cas(PM_WORD, 4, 2, 3, SEQ_CST).at(10).store(PM_WORD, 4, 0, RELEASE);
    }
    assertThat(trace.findings()).isNotEmpty();
  }

  @Test
  void shouldNotTakeAWordForALockThatReturnsToAnEarlierVersion() {
    Trace trace =
        threads().at(7).cas(PM_WORD, 4, 0, 1, SEQ_CST).at(8).store(PM_WORD, 4, 2, RELEASE);
    trace.on(2).at(7).cas(PM_WORD, 4, 2, 3, SEQ_CST).at(8).store(PM_WORD, 4, 2, RELEASE);
    assertThat(trace.findings()).isNotEmpty();
  }

  @Test
  void shouldNotTakeACounterByCompareAndSwapForALock() {
    Trace trace = threads();
    for (int i = 0; i < 12; i++) {
      trace.on(2 + i / 2 % 2).at(7).cas(PM_WORD, 4, i, i + 1, SEQ_CST);
    }
    assertThat(trace.findings()).isNotEmpty();
  }

  @Test
  void shouldRecogniseByteLocksWithSeveralHeldValuesInPm() {
    Trace trace = threads().store(PM_WORD, 1, 0).clwb(PM_WORD).sfence();
    trace.exchange(PM_WORD, 1, 0, 1, SEQ_CST);
    load(trace);
    trace.store(PM_WORD, 1, 0, PLAIN).on(2).exchange(PM_WORD, 1, 0, 2, SEQ_CST);
    storeAndPersist(trace);
    trace.store(PM_WORD, 1, 0, PLAIN).on(3).exchange(PM_WORD, 1, 0, 1, SEQ_CST);
    load(trace);
    trace.store(PM_WORD, 1, 0, PLAIN);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldNotReportRacesOrMissingFlushesOfLockWordsInPm() {
    Trace trace = threads().at(5).store(PM_WORD, 4, 0).on(2).at(6).load(PM_WORD, 4, 0);
    for (int i = 0; i < 3; i++) {
      trace.on(2 + i % 2).at(7).cas(PM_WORD, 4, 0, 1, ACQUIRE);
      trace.at(8).store(PM_WORD, 4, 0, RELEASE);
    }
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldTakeAWordThatIsKeptForALockIfItsInstructionTakesLocks() {
    Trace trace = threads().at(7).cas(PM_WORD, 4, 0, 1, ACQUIRE);
    trace.at(8).store(PM_WORD, 4, 0, RELEASE);
    trace.at(7).cas(PM_WORD + 64, 4, 0, 1, ACQUIRE);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldReportAWordThatIsChangedOnceByAnInstructionOfNoLocks() {
    Trace trace = threads().at(7).cas(PM_WORD, 4, 0, 1, ACQUIRE);
    assertThat(trace.findings()).containsExactly("missing-flush store=7");
  }

  @Test
  void shouldReportAWordThatIsKeptIfItsInstructionAlsoChangesWordsThatAreNoLocks() {
    Trace trace = threads().at(7).cas(PM_WORD, 4, 0, 1, ACQUIRE);
    trace.at(8).store(PM_WORD, 4, 0, RELEASE);
    trace.at(7).cas(PM_WORD + 64, 4, 0, 1, ACQUIRE);
    trace.at(7).cas(PM_WORD + 128, 4, 0, 1, ACQUIRE);
    trace.at(9).cas(PM_WORD + 128, 4, 1, 2, ACQUIRE);
    assertThat(trace.findings()).containsExactly("missing-flush store=7", "missing-flush store=9");
  }

  @Test
  void shouldNotCallAWordALockThatIsClaimedForGood() {
    Trace trace = threads().at(7).cas(WORD, 8, 0, 0x10, SEQ_CST).at(2).load(X, 8, 0);
    trace.on(2).at(7).cas(WORD + 8, 8, 0, 0x20, SEQ_CST);
    storeAndPersist(trace);
    Finding race = trace.findings(DetectionOptions.standard(), true).get(0);
    assertThat(race.message()).endsWith("persist it before other threads can see it");
    assertThat(race.example().orElseThrow().storeLocks()).isEmpty();
    assertThat(race.example().orElseThrow().loadLocks()).isEmpty();
  }

  @Test
  void shouldReportTheNeighbourOfALockWordInPm() {
    Trace trace = threads();
    spin(trace, PM_WORD, RELEASE, t -> t.at(2).load(PM_WORD + 4, 4, 0));
    spin(trace.on(2), PM_WORD, RELEASE, t -> t.at(1).store(PM_WORD + 4, 4, 1));
    spin(trace.on(3), PM_WORD, RELEASE, t -> t.at(2).load(PM_WORD + 4, 4, 1));
    assertThat(trace.findings())
        .containsExactly(
            "missing-flush store=1",
            "persistency-race store=1 load=2 lockset,region-overlap,happens-before,observed-read");
  }

  @Test
  void shouldExemptDeclaredWords() {
    Trace trace = threads().event(EventKind.SYNC_VAR, 0, PM_WORD, 8, new byte[8]);
    trace.at(1).store(PM_WORD, 8, 5).on(2).at(2).load(PM_WORD, 8, 5);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldRefuteAWordThatIsStoredToByAStranger() {
    Trace trace = threads();
    spin(trace, WORD, RELEASE, LockRecognitionTest::load);
    spin(trace.on(2), WORD, RELEASE, LockRecognitionTest::storeAndPersist);
    trace.on(3).store(WORD, 4, 9, RELEASE);
    assertThat(trace.findings()).containsExactly("persistency-race store=1 load=2 lockset");
  }

  @Test
  void shouldStartAgainWhenAWordIsFreed() {
    Trace trace = threads().alloc(PM_WORD, 64);
    spin(trace, PM_WORD, RELEASE, t -> {});
    trace.free(PM_WORD).alloc(PM_WORD, 64);
    trace.at(1).store(PM_WORD, 4, 1).on(2).at(2).load(PM_WORD, 4, 1);
    Set<String> findings = trace.findings();
    assertThat(findings)
        .containsExactly(
            "missing-flush store=1",
            "persistency-race store=1 load=2 lockset,region-overlap,happens-before,observed-read");
  }
}
