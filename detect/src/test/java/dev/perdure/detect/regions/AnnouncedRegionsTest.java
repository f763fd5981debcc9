package dev.perdure.detect.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.memory.PersistenceDomain;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Site 1 stores in thread 2, site 2 loads in thread 3. Regions start where they are announced. */
class AnnouncedRegionsTest {
  private static final long X = Trace.PM + 64;
  private static final long A = 0x1000;
  private static final long B = 0x2000;
  private static final String RACE = "persistency-race store=1 load=2 region-overlap";

  private static Set<String> regions(RegionStart starts, Trace trace) {
    return trace.findings(
        new DetectionOptions(
            Set.of(Detector.REGIONS),
            PersistenceDomain.ADR,
            false,
            false,
            RegionExtent.PIFR,
            starts));
  }

  private static Set<String> regions(Trace trace) {
    return regions(RegionStart.STATIC, trace);
  }

  private static Trace threads() {
    return new Trace().start(2, 3);
  }

  /** Stores and persists under a lock. */
  private static Trace store(Trace trace) {
    return trace.on(2).lock(A).at(1).store(X, 8, 1).persist(X).unlock(A);
  }

  private static Trace load(Trace trace) {
    return trace.on(3).at(2).load(X, 8, 1);
  }

  @Test
  void shouldStartAtTheAnnouncement() {
    Trace trace = threads().on(3).announce(false, X, 8);
    assertThat(regions(load(store(trace)))).containsExactly(RACE);
  }

  @Test
  void shouldStartAtTheAccessWithoutAnnouncement() {
    Trace trace = load(store(threads()));
    assertThat(regions(trace)).isEmpty();
    assertThat(regions(RegionStart.LOOKBACK, trace)).containsExactly(RACE);
  }

  @Test
  void shouldTellKindsAndBytesOfAnnouncementsApart() {
    assertThat(regions(load(store(threads().on(3).announce(true, X, 8))))).isEmpty();
    assertThat(regions(load(store(threads().on(3).announce(false, X + 8, 8))))).isEmpty();
    assertThat(regions(load(store(threads().on(3).announce(false, X - 60, 64)))))
        .containsExactly(RACE);
  }

  @Test
  void shouldForgetAnnouncementsAtAnAcquire() {
    Trace trace = store(threads().on(3).announce(false, X, 8));
    assertThat(regions(load(trace.on(3).lock(A)))).isEmpty();
  }

  @Test
  void shouldCloseTheRegionOfALoadAtARelease() {
    Trace trace = threads().on(3).lock(B).announce(false, X, 8).unlock(B);
    assertThat(regions(load(store(trace)))).isEmpty();
  }

  @Test
  void shouldKeepTheRegionOfAStoreOpenOverReleasesUntilItIsPersisted() {
    Trace trace = threads().on(2).lock(B).announce(true, X, 8).unlock(B);
    load(trace.on(3).lock(A)).unlock(A);
    assertThat(regions(trace.on(2).at(1).store(X, 8, 1))).containsExactly(RACE);
  }

  @Test
  void shouldCloseTheRegionOfAStoreAtTheReleaseThatFollowsThePersist() {
    Trace trace = threads().on(2).lock(B).announce(true, X, 8).at(5).store(X, 8, 1);
    trace.persist(X).unlock(B);
    load(trace.on(3).lock(A)).unlock(A);
    assertThat(regions(trace.on(2).at(1).store(X, 8, 1))).doesNotContain(RACE);
  }

  @Test
  void shouldServeAllAccessesUntilTheRegionIsClosed() {
    Trace trace = threads().on(3).at(4).load(X, 8, 0);
    assertThat(regions(load(store(trace)))).contains(RACE);
  }
}
