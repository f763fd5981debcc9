package dev.perdure.detect.flush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlushTest {
  private static final long X = Trace.PM;
  private static final long Y = Trace.PM + 64;
  private static final long LOCK = 0x1000;

  @Test
  void shouldFindNothingInCorrectCode() {
    Trace trace = new Trace().at(1).store(X, 8, 1).at(2).store(X + 8, 8, 2).at(3).store(Y, 8, 3);
    trace.at(4).clwb(X).at(5).clwb(Y).at(6).sfence();
    trace.at(7).store(X, 8, 4).at(8).clwb(X).at(9).sfence();
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldReportStoreThatIsNeverFlushed() {
    assertThat(new Trace().at(1).store(X, 8, 1).findings())
        .containsExactly("missing-flush store=1");
  }

  @Test
  void shouldReportNothingMissingInARunThatWasKilled() {
    List<Finding> findings =
        new Trace().at(1).store(X, 8, 1).findings(DetectionOptions.standard(), false);
    assertThat(findings).isEmpty();
  }

  @Test
  void shouldReportStoreThatIsNeverFencedWithItsFlush() {
    assertThat(new Trace().at(1).store(X, 8, 1).at(2).clwb(X).findings())
        .containsExactly("missing-fence store=1 persist=2");
  }

  @Test
  void shouldReportNonTemporalStoreThatIsNeverFenced() {
    assertThat(new Trace().at(1).storeNt(X, 8, 1).findings())
        .containsExactly("missing-fence store=1");
  }

  @Test
  void shouldNotNameANeedlessFlushAsTheFlushThatLacksAFence() {
    Trace streamed = new Trace().at(1).storeNt(X, 8, 1).at(2).clwb(X);
    assertThat(streamed.findings())
        .containsExactlyInAnyOrder("missing-fence store=1", "redundant-flush persist=2");
  }

  @Test
  void shouldReportTheHalfOfAStoreInTheLineThatIsNotFlushed() {
    assertThat(new Trace().at(1).store(Y - 4, 8, -1).at(2).persist(Y - 4).findings())
        .containsExactly("missing-flush store=1");
  }

  @Test
  void shouldReportStoreBetweenFlushAndFence() {
    Trace trace = new Trace().at(1).store(X, 8, 1).store(Y, 8, 1).clwb(X).clwb(Y);
    assertThat(trace.at(2).store(X, 8, 2).sfence().findings())
        .containsExactly("missing-flush store=2");
  }

  @Test
  void shouldTakeClflushAsOrdered() {
    Trace trace = new Trace().at(1).store(X, 8, 1).flush(EventInfo.FLUSH_CLFLUSH, X, 1);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldTakeMsyncOfTheRangeAsPersist() {
    Trace trace = new Trace().at(1).store(X, 8, 1).at(2).store(Y, 8, 1);
    trace.persistCall(EventInfo.PERSIST_MSYNC, X, 128);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldTakeLockedInstructionsAndLockOperationsAsFences() {
    Trace rmw = new Trace().store(X, 8, 1).clwb(X);
    rmw.rmw(EventInfo.RMW_OTHER, 0x9000, 8, 0, 1, MemoryOrder.RELAXED);
    assertThat(rmw.findings()).isEmpty();
    assertThat(new Trace().store(X, 8, 1).clwb(X).lock(LOCK).findings()).isEmpty();
    assertThat(new Trace().lock(LOCK).store(X, 8, 1).clwb(X).unlock(LOCK).findings()).isEmpty();
    Trace seqCst = new Trace().store(X, 8, 1).clwb(X).store(0x9000, 8, 1, MemoryOrder.SEQ_CST);
    assertThat(seqCst.findings()).isEmpty();
  }

  @Test
  void shouldNotTakeInnerLevelsSignalsAndOncePassesAsFences() {
    String missing = "missing-fence store=1 persist=2";
    Trace inner = new Trace().lock(LOCK).at(1).store(X, 8, 1).at(2).clwb(X);
    assertThat(inner.lock(LOCK).unlock(LOCK).findings()).containsExactly(missing);
    Trace spin = new Trace().at(1).store(X, 8, 1).at(2).clwb(X);
    spin.event(EventKind.RELEASE, EventInfo.LOCK_NO_FENCE, LOCK, 0);
    spin.event(EventKind.COND_SIGNAL, 0, LOCK, 0).event(EventKind.ONCE_PASS, 0, LOCK, 0);
    spin.fence(EventInfo.FENCE_ACQ_REL);
    assertThat(spin.findings()).containsExactly(missing);
  }

  @Test
  void shouldNotCountTheFenceOfAnotherThread() {
    Trace trace = new Trace().start(2).at(1).store(X, 8, 1).at(2).clwb(X);
    assertThat(trace.on(2).fence(EventInfo.FENCE_MFENCE).findings())
        .containsExactly("missing-fence store=1 persist=2");
  }

  @Test
  void shouldCountTheFirstFenceOfAnyThreadThatFlushed() {
    Trace trace = new Trace().start(2).at(1).store(X, 8, 1).clwb(X);
    assertThat(trace.on(2).clwb(X).sfence().findings()).isEmpty();
  }

  @Test
  void shouldReportNeedlessFlushes() {
    assertThat(new Trace().at(1).clwb(X).findings()).containsExactly("redundant-flush persist=1");
    Trace twice = new Trace().store(X, 8, 1).at(1).clwb(X).at(2).clwb(X).sfence();
    assertThat(twice.findings()).containsExactly("redundant-flush persist=2");
    Trace again = new Trace().store(X, 8, 1).persist(X).at(3).clwb(X);
    assertThat(again.findings()).containsExactly("redundant-flush persist=3");
  }

  @Test
  void shouldNotReportFlushThatIsNeededAtAnotherTime() {
    Trace trace = new Trace().store(X, 8, 1).at(1).clwb(X).sfence().at(1).clwb(X);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldTellCallersOfASharedHelperApart() {
    Trace trace = new Trace().store(X, 8, 1).at(1).calledFrom(10, 20).clwb(X).at(2).sfence();
    assertThat(trace.at(1).calledFrom(11, 20).clwb(X).findings())
        .containsExactly("redundant-flush persist=1");
  }

  @Test
  void shouldLookAtFourCallersOnly() {
    Trace trace = new Trace().store(X, 8, 1).at(1).calledFrom(1, 2, 3, 4, 5).clwb(X).sfence();
    assertThat(trace.at(1).calledFrom(1, 2, 3, 4, 6).clwb(X).findings()).isEmpty();
  }

  @Test
  void shouldReportNeedlessFences() {
    Trace trace = new Trace().store(X, 8, 1).clwb(X).at(1).sfence().at(2).sfence();
    trace.at(3).fence(EventInfo.FENCE_LIBRARY_DRAIN).at(4).fence(EventInfo.FENCE_MFENCE);
    assertThat(trace.findings())
        .containsExactly("redundant-fence persist=2", "redundant-fence persist=3");
  }

  @Test
  void shouldReportNeedlessPersistCallOnce() {
    Trace trace = new Trace().at(1).persistCall(EventInfo.PERSIST_LIBRARY, X, 8);
    assertThat(trace.findings()).containsExactly("redundant-flush persist=1");
  }

  @Test
  void shouldNotCallFencesNeedlessWhereNoPersistentMemoryIsKnown() {
    assertThat(new Trace().at(1).sfence().findings()).isEmpty();
    assertThat(new Trace().load(X, 8, 0).at(1).sfence().findings())
        .containsExactly("redundant-fence persist=1");
  }

  @Test
  void shouldNotJudgeOperationsInsideLibraries() {
    Trace trace = new Trace().mark(EventKind.LIBRARY_ENTER).at(1).clwb(X).at(2).sfence();
    trace.at(3).store(Y, 8, 1).mark(EventKind.LIBRARY_LEAVE);
    assertThat(trace.findings()).isEmpty();
    DetectionOptions inside =
        new DetectionOptions(EnumSet.allOf(Detector.class), PersistenceDomain.ADR, true, true);
    assertThat(trace.findings(inside))
        .containsExactly(
            "missing-flush store=3", "redundant-fence persist=2", "redundant-flush persist=1");
  }

  @Test
  void shouldCountWhatALibraryPersists() {
    Trace trace = new Trace().at(1).store(X, 8, 1).mark(EventKind.LIBRARY_ENTER).persist(X);
    assertThat(trace.mark(EventKind.LIBRARY_LEAVE).findings()).isEmpty();
  }

  @Test
  void shouldCheckOnlyTheRegionOfInterest() {
    Trace trace = new Trace().at(1).store(X, 8, 1).mark(EventKind.ROI_BEGIN);
    trace.at(2).store(Y, 8, 1).mark(EventKind.ROI_END).at(3).clwb(Y + 64);
    assertThat(trace.findings()).containsExactly("missing-flush store=2");
  }

  @Test
  void shouldNotReportAllocatedAndFreedBytes() {
    Trace trace = new Trace().alloc(X, 64).at(1).store(Y, 8, 1).alloc(Y + 64, 64);
    trace.at(2).store(Y + 64, 8, 1).free(Y + 64).at(3).clwb(Y).sfence();
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldFlushWhatAnAllocationHandedOut() {
    Trace trace = new Trace().alloc(X, 64).at(1).clwb(X).at(2).sfence().at(3).clwb(X);
    assertThat(trace.findings()).containsExactly("redundant-flush persist=3");
  }

  @Test
  void shouldFlushWhatALargeAllocationHandedOutWhenItIsUsed() {
    long large = 1L << 40;
    Trace trace = new Trace().alloc(X + 8, large).at(1).clwb(X + (1L << 30)).at(2).sfence();
    trace.at(3).clwb(X + (1L << 30)).at(4).clwb(X + large).at(5).clwb(X + large + 64);
    trace.at(6).store(X + 4096, 8, 1);
    assertThat(trace.findings())
        .containsExactly(
            "missing-flush store=6", "redundant-flush persist=3", "redundant-flush persist=5");
    trace.free(X + 8).at(7).clwb(X + 8192);
    assertThat(trace.findings())
        .containsExactly(
            "redundant-flush persist=3", "redundant-flush persist=5", "redundant-flush persist=7");
  }

  @Test
  void shouldFindNothingWhereCachesPersist() {
    Trace trace = new Trace().start(2).at(1).store(X, 8, 1).on(2).at(2).load(X, 8, 1);
    trace.clwb(X).sfence().clwb(X);
    DetectionOptions eadr =
        new DetectionOptions(EnumSet.allOf(Detector.class), PersistenceDomain.EADR, true, false);
    assertThat(trace.findings(eadr)).isEmpty();
  }

  @Test
  void shouldFollowMemoryThatIsDeclaredPersistent() {
    long heap = 0x7f0000001000L;
    Trace trace = new Trace().at(1).store(heap, 8, 1).event(EventKind.PM_RANGE, 0, heap, 64);
    trace.at(2).store(heap + 8, 8, 1).event(EventKind.UNMAP, 0, heap, 64).at(3).store(heap, 8, 1);
    assertThat(trace.findings()).containsExactly("missing-flush store=2");
  }

  @Test
  void shouldExemptRelaxedStores() {
    Trace trace = new Trace().mark(EventKind.RELAXED_BEGIN).at(1).store(X, 8, 1);
    assertThat(trace.mark(EventKind.RELAXED_END).findings()).isEmpty();
  }

  @Test
  void shouldCountEachStoreOfASite() {
    Trace trace = new Trace().at(1).store(X, 8, 1).at(1).store(Y, 8, 1);
    List<Finding> findings = trace.findings(DetectionOptions.standard(), true);
    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).count()).isEqualTo(2);
    assertThat(findings.get(0).message()).contains("f (t.c:1)").contains("never flushed");
    assertThat(Set.copyOf(findings)).hasSize(1);
  }
}
