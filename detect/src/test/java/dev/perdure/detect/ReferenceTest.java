package dev.perdure.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.reference.Reference;
import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.detect.trace.AnnouncedTrace;
import dev.perdure.detect.trace.OrderlyTrace;
import dev.perdure.detect.trace.RandomTrace;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.MemoryOrder;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The detectors agree with their definitions on random traces. */
class ReferenceTest {
  private static final int TRACES = Integer.getInteger("perdure.traces", 3000);

  @ParameterizedTest
  @EnumSource(value = Detector.class, mode = EnumSource.Mode.EXCLUDE, names = "TAINT")
  void shouldAgreeWithTheDefinitionOf(Detector detector) {
    compare(EnumSet.of(detector), 1_000_000L * detector.ordinal(), TRACES, 90);
  }

  @ParameterizedTest
  @ValueSource(ints = {25, 60, 300})
  void shouldAgreeWithAllDefinitionsAtOnce(int length) {
    compare(EnumSet.allOf(Detector.class), 7_000_000L + length, TRACES, length);
  }

  /** Where no data is followed, lines that were filled word by word are folded. */
  @Test
  void shouldAgreeWithAllDefinitionsOfARun() {
    compare(EnumSet.complementOf(EnumSet.of(Detector.TAINT)), 8_000_000L, TRACES / 2, 60);
  }

  /** Where locks are used as they should be, most lines need no words. */
  @ParameterizedTest
  @ValueSource(ints = {60, 250})
  void shouldAgreeOnOrderlyPrograms(int length) {
    for (long seed = 13_000_000L + length; seed < 13_000_000L + length + TRACES; seed++) {
      compare(run(seed), seed % 4 != 1, OrderlyTrace.of(seed, length), seed);
    }
  }

  /** Seed 14103042 of 200 events, made small: what was released there before is gone. */
  @Test
  void shouldAgreeOnAtomicsThatWereAllocatedMeanwhile() {
    long atomic = Trace.PM + 32;
    Trace trace = new Trace().start(2, 3).on(2).lock(0x1000).on(1);
    trace.at(15).rmw(EventInfo.RMW_OTHER, atomic, 8, 0, 1, MemoryOrder.SEQ_CST);
    trace.at(15).alloc(Trace.PM, 64).on(2).at(10).flush(EventInfo.FLUSH_CLFLUSH, Trace.PM, 1);
    trace.unlock(0x1000).on(3).at(15).load(atomic, 8, 1, MemoryOrder.ACQUIRE);
    compare(regions(RegionExtent.PIFR), true, trace, 14_103_042L);
    DetectionOptions kept =
        new DetectionOptions(
            EnumSet.of(Detector.REGIONS, Detector.HB), PersistenceDomain.ADR, false, false);
    compare(kept, true, trace, 14_103_042L);
    assertThat(trace.findings(kept))
        .containsExactly("persistency-race store=15 load=15 region-overlap,happens-before");
  }

  private static DetectionOptions run(long seed) {
    Set<Detector> detectors = EnumSet.complementOf(EnumSet.of(Detector.TAINT));
    if (seed % 7 < 3) {
      detectors.removeIf(d -> d.ordinal() == seed % 7);
    }
    return new DetectionOptions(
        detectors, PersistenceDomain.ADR, seed % 3 != 0, false, RegionExtent.PIFR);
  }

  @Test
  void shouldAgreeOnWindowsAsRegions() {
    compare(EnumSet.of(Detector.REGIONS), RegionExtent.MINIMAL, 9_000_000L, TRACES / 3, 120);
  }

  @Test
  void shouldFindNoMoreByTheRegionsOfOrdinaryRaces() {
    for (long seed = 10_000_000L; seed < 10_000_000L + TRACES / 3; seed++) {
      Trace trace = RandomTrace.of(seed, 120);
      assertThat(trace.findings(regions(RegionExtent.IFR)))
          .as("seed %d", seed)
          .isSubsetOf(trace.findings(regions(RegionExtent.PIFR)));
    }
  }

  @ParameterizedTest
  @EnumSource(value = RegionExtent.class, mode = EnumSource.Mode.EXCLUDE, names = "IFR")
  void shouldAgreeOnAnnouncedRegions(RegionExtent extent) {
    for (long seed = 12_000_000L; seed < 12_000_000L + TRACES; seed++) {
      compare(announced(extent), true, AnnouncedTrace.of(seed, 120), seed);
    }
  }

  /** What is announced lies behind the last acquire, or is no start. */
  @Test
  void shouldFindAllThatAnnouncedStartsFindAndMore() {
    int more = 0;
    int fewer = 0;
    for (long seed = 11_000_000L; seed < 11_000_000L + TRACES / 3; seed++) {
      Trace trace = AnnouncedTrace.of(seed, 120);
      Set<String> found = trace.findings(regions(RegionExtent.PIFR));
      Set<String> announced = trace.findings(announced(RegionExtent.PIFR));
      Set<String> unannounced = RandomTrace.of(seed, 120).findings(announced(RegionExtent.PIFR));
      assertThat(announced).as("seed %d", seed).isSubsetOf(found);
      assertThat(unannounced).as("seed %d", seed).isSubsetOf(announced);
      more += found.size() - announced.size();
      fewer += announced.size() - unannounced.size();
    }
    assertThat(more).isPositive();
    assertThat(fewer).isPositive();
  }

  private static DetectionOptions regions(RegionExtent extent) {
    return new DetectionOptions(
        EnumSet.of(Detector.REGIONS), PersistenceDomain.ADR, true, false, extent);
  }

  private static DetectionOptions announced(RegionExtent extent) {
    return new DetectionOptions(
        EnumSet.of(Detector.REGIONS),
        PersistenceDomain.ADR,
        true,
        false,
        extent,
        RegionStart.STATIC);
  }

  private static void compare(Set<Detector> detectors, long firstSeed, int count, int length) {
    compare(detectors, RegionExtent.PIFR, firstSeed, count, length);
  }

  private static void compare(
      Set<Detector> detectors, RegionExtent extent, long firstSeed, int count, int length) {
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      boolean initRemoval = seed % 3 != 0;
      boolean complete = seed % 4 != 1;
      DetectionOptions options =
          new DetectionOptions(detectors, PersistenceDomain.ADR, initRemoval, false, extent);
      compare(options, complete, RandomTrace.of(seed, length), seed);
    }
  }

  private static void compare(DetectionOptions options, boolean complete, Trace trace, long seed) {
    Set<String> expected = Reference.findings(trace.events(), options, complete);
    Set<String> found;
    try {
      found = Trace.describe(trace.findings(options, complete));
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + "\n" + trace, e);
    }
    Set<String> missing = new TreeSet<>(expected);
    missing.removeAll(found);
    Set<String> unexpected = new TreeSet<>(found);
    unexpected.removeAll(expected);
    assertThat(missing.isEmpty() && unexpected.isEmpty())
        .as(
            "seed %d, %s, complete %s%n%s missing %s%n unexpected %s",
            seed, options, complete, trace, missing, unexpected)
        .isTrue();
  }
}
