package dev.perdure.detect.calm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.trace.Trace;
import dev.perdure.trace.event.MemoryOrder;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What visits to a line leave for those who come without its lock. Sites 1 and 2 store, 3 loads
 * without a lock, 5 loads under it, 6 and 7 flush and fence.
 */
class CalmLinesTest {
  private static final long X = Trace.PM + 64;
  private static final long Y = X + 8;
  private static final long A = 0x1000;
  private static final String BOTH = "lockset,region-overlap,happens-before";

  /** Two threads have touched the line under its lock, which is free. */
  private static Trace visited() {
    Trace trace = new Trace().start(2, 3);
    for (int t = 2; t <= 3; t++) {
      trace.on(t).lock(A).at(5).load(X, 8, 0).load(Y, 8, 0).unlock(A);
    }
    return trace;
  }

  private static Trace persist(Trace trace) {
    return trace.at(6).clwb(X).at(7).sfence();
  }

  private static Trace put(Trace trace, int thread) {
    trace.on(thread).lock(A).at(5).load(X, 8, 0).at(1).store(X, 8, thread);
    return persist(trace).unlock(A);
  }

  private static String race(int store, String evidence) {
    return "persistency-race store=" + store + " load=3 " + evidence;
  }

  @Test
  void shouldFindNothingWhereAllKeepToTheLock() {
    Trace trace = visited();
    for (int i = 0; i < 100; i++) {
      put(trace, 2 + i % 2);
    }
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldReportALateReaderWithoutTheLock() {
    Trace trace = put(visited(), 2).on(3).at(3).load(X, 8, 2);
    assertThat(trace.findings()).containsExactly(race(1, BOTH));
  }

  @Test
  void shouldTellByCreateAndJoinOfWhomTheReaderKnows() {
    Trace trace = put(put(visited(), 2), 3);
    trace.on(3).end().on(1).join(3).at(3).load(X, 8, 3);
    assertThat(trace.findings()).containsExactly(race(1, "lockset"));
  }

  @Test
  void shouldReportWhoLooksInTheMiddleOfAVisit() {
    Trace trace = visited().on(2).lock(A).at(1).store(X, 8, 2).on(3).at(3).load(X, 8, 2);
    persist(trace.on(2)).unlock(A);
    assertThat(trace.findings())
        .containsExactly(race(1, "lockset,region-overlap,happens-before,observed-read"));
  }

  @Test
  void shouldReportAStoreThatWasOverwrittenInPartWithinTheVisit() {
    Trace trace = visited().on(2).lock(A).at(1).store(X, 8, 1).at(2).store(X, 4, 2);
    persist(trace).unlock(A).on(3).at(3).load(X, 8, 2);
    assertThat(trace.findings()).containsExactly(race(1, BOTH), race(2, BOTH));
  }

  @Test
  void shouldReportAStoreThatWasOverwrittenWithinTheVisit() {
    Trace trace = visited().on(2).lock(A).at(1).store(X, 8, 1).at(2).store(X, 8, 2);
    persist(trace).unlock(A).on(3).at(3).load(X, 8, 2);
    assertThat(trace.findings()).containsExactly(race(1, BOTH), race(2, BOTH));
  }

  @Test
  void shouldKnowTheBytesThatWereOverwritten() {
    Trace trace = visited().on(2).lock(A).at(1).store(X, 4, 1).at(2).store(X, 4, 2);
    persist(trace).unlock(A).on(3).at(3).load(X + 4, 4, 2);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldReportAStoreThatIsNotPersistentAtTheRelease() {
    Trace trace = visited().on(2).lock(A).at(1).store(X, 8, 1).unlock(A);
    trace.on(3).lock(A).at(3).load(X, 8, 1).unlock(A);
    persist(trace.on(2));
    assertThat(trace.findings())
        .contains(race(1, "lockset,region-overlap,happens-before,observed-read"));
  }

  @Test
  void shouldCountTheFenceOfTheRelease() {
    Trace trace = visited().on(2).lock(A).at(1).store(X, 8, 1).at(6).clwb(X).unlock(A);
    trace.on(3).lock(A).at(3).load(X, 8, 1).unlock(A);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldJudgeFlushesAndFencesOfVisits() {
    Trace trace = visited().on(2).lock(A).at(1).store(X, 8, 1);
    persist(trace).at(8).clwb(X).at(9).sfence().unlock(A);
    assertThat(trace.findings())
        .isEqualTo(Set.of("redundant-flush persist=8", "redundant-fence persist=9"));
  }

  @Test
  void shouldLeaveOutWhatWasPersistentBeforeASecondThreadCame() {
    Trace trace = put(new Trace().start(2, 3), 2).on(3).at(3).load(X, 8, 2);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldTellVisitsApartByALockWordThatAPlainStoreFrees() {
    long word = Trace.PM + 4096;
    Trace trace = new Trace().start(2, 3, 4);
    for (int t = 2; t <= 3; t++) {
      trace.on(t).lock(A).at(20).cas(word, 8, 0, 1, MemoryOrder.SEQ_CST).at(5).load(X, 8, 0);
      trace.at(21).store(word, 8, 0).at(1).store(X, 8, 1);
      persist(trace).unlock(A);
    }
    trace.on(4).at(20).cas(word, 8, 0, 1, MemoryOrder.SEQ_CST).at(3).load(X, 8, 1);
    trace.at(21).store(word, 8, 0).at(22).clwb(word).at(23).sfence();
    assertThat(trace.findings()).containsExactly(race(1, "lockset,happens-before"));
  }

  @Test
  void shouldEndVisitsOfAThreadWhoseChildBeginsUnannounced() {
    Trace trace = new Trace().start(2).on(2).lock(A).at(5).load(X, 8, 0).unlock(A);
    persist(trace.on(1).lock(A).at(1).store(X, 8, 1)).on(5).begin(1).on(1).unlock(A);
    trace.on(5).at(3).load(X, 8, 1);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldForgetWhatWasFreed() {
    Trace trace = put(visited().on(2).alloc(X, 64), 2).free(X).on(3).at(3).load(X, 8, 2);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldFollowVisitsOfAnyLength() {
    Trace trace = visited().on(2).lock(A);
    for (int i = 0; i < 3 * VisitPaths.LONGEST; i++) {
      trace.at(10 + i % 2).load(X + 8 * (i % 7), 8, 0);
    }
    trace.at(1).store(X, 8, 1);
    for (int i = 0; i < 3 * VisitPaths.LONGEST; i++) {
      trace.at(10 + i % 2).load(X + 8 * (i % 7), 8, 0);
    }
    persist(trace).unlock(A).on(3).at(3).load(X, 8, 1);
    assertThat(trace.findings()).containsExactly(race(1, BOTH));
  }

  @Test
  void shouldKeepMoreWaysOfAnotherThreadThanALineHasRoomFor() {
    Trace trace = visited();
    for (int site = 100; site < 200; site++) {
      trace.on(2 + site % 2).lock(A).at(site).store(X, 8, site);
      persist(trace).unlock(A);
    }
    trace.on(3).at(3).load(X, 8, 1);
    assertThat(trace.findings()).hasSize(50);
  }
}
