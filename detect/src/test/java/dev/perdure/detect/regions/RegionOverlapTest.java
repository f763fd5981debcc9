package dev.perdure.detect.regions;

import static dev.perdure.trace.event.MemoryOrder.ACQUIRE;
import static dev.perdure.trace.event.MemoryOrder.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.memory.PersistenceDomain;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Site 1 stores in thread 2, site 2 loads in thread 3. Both have touched x before. */
class RegionOverlapTest {
  private static final long X = Trace.PM + 64;
  private static final long FLAG = 0x5000;
  private static final long A = 0x1000;
  private static final long B = 0x2000;
  private static final String RACE = "persistency-race store=1 load=2 region-overlap";

  private static Set<String> regions(RegionExtent extent, Trace trace) {
    return trace.findings(
        new DetectionOptions(
            Set.of(Detector.REGIONS), PersistenceDomain.ADR, false, false, extent));
  }

  private static Set<String> regions(Trace trace) {
    return regions(RegionExtent.PIFR, trace);
  }

  private static Trace threads() {
    return new Trace().start(2, 3);
  }

  private static Trace store(Trace trace) {
    return trace.on(2).at(1).store(X, 8, 1);
  }

  private static Trace load(Trace trace) {
    return trace.on(3).at(2).load(X, 8, 1);
  }

  @Test
  void shouldReportLoadThatComesAfterThePersistButBeforeTheRelease() {
    Trace trace = store(threads().on(2).lock(A)).persist(X);
    assertThat(regions(load(trace))).containsExactly(RACE);
    assertThat(regions(RegionExtent.MINIMAL, load(trace))).isEmpty();
  }

  @Test
  void shouldReportLoadWhoseRegionStartedBeforeTheStoresEnded() {
    Trace trace = threads().on(3).lock(B);
    store(trace.on(2).lock(A)).persist(X).unlock(A);
    assertThat(regions(load(trace))).containsExactly(RACE);
  }

  @Test
  void shouldReportStoreWhoseRegionStartedBeforeTheLoadsEnded() {
    Trace trace = threads().on(2).lock(A);
    load(trace.on(3).lock(B)).unlock(B);
    assertThat(regions(store(trace))).containsExactly(RACE);
    assertThat(regions(RegionExtent.MINIMAL, trace)).isEmpty();
  }

  @Test
  void shouldKeepTheRegionOpenUntilTheStoreIsPersisted() {
    Trace trace = store(threads().on(2).lock(A)).unlock(A);
    trace.on(3).lock(A);
    assertThat(regions(load(trace))).containsExactly(RACE);
    assertThat(regions(RegionExtent.IFR, trace)).isEmpty();
  }

  @Test
  void shouldEndTheRegionAtTheReleaseThatFollowsThePersist() {
    Trace trace = store(threads().on(2).lock(A)).persist(X).unlock(A);
    assertThat(regions(load(trace.on(3).lock(A)))).isEmpty();
  }

  @Test
  void shouldNotReportWhatAnAtomicFlagOrders() {
    Trace trace = store(threads()).persist(X).store(FLAG, 4, 1, RELEASE);
    assertThat(regions(load(trace.on(3).load(FLAG, 4, 1, ACQUIRE)))).isEmpty();
  }

  @Test
  void shouldNotReportUnorderedRegionsThatWereNeverOpenTogether() {
    Trace trace = store(threads().on(2).lock(A)).persist(X).unlock(A);
    trace.on(1).lock(B).unlock(B);
    assertThat(regions(load(trace.on(3).lock(B)))).isEmpty();
  }

  @Test
  void shouldNotReportTheThreadThatPersistsBeforeItLoads() {
    Trace trace = store(threads());
    assertThat(regions(load(trace.on(3).persist(X)))).isEmpty();
  }

  @Test
  void shouldTakeTheReleaseOfTheThreadThatPersistedForAnother() {
    Trace trace = store(threads()).on(1).persist(X);
    assertThat(regions(load(trace))).containsExactly(RACE);
    Trace released = store(threads()).on(1).persist(X).store(FLAG, 4, 1, RELEASE);
    assertThat(regions(load(released.on(3).load(FLAG, 4, 1, ACQUIRE)))).isEmpty();
  }

  @Test
  void shouldRememberReleasesHoweverManyFollow() {
    Trace trace = threads().on(3).lock(B);
    store(trace.on(2).lock(A)).persist(X).unlock(A);
    for (int i = 0; i < 5000; i++) {
      trace.on(2).lock(A).unlock(A);
    }
    assertThat(regions(load(trace))).containsExactly(RACE);
  }
}
