package dev.perdure.detect;

import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.model.memory.PersistenceDomain;
import java.util.Set;

/**
 * What to look for, and under which assumptions.
 *
 * @param initRemoval whether stores that were persisted while private are dropped
 * @param insideLibraries whether libpmem and its like are code under test
 * @param regions how far regions reach
 * @param starts where they start
 */
public record DetectionOptions(
    Set<Detector> detectors,
    PersistenceDomain domain,
    boolean initRemoval,
    boolean insideLibraries,
    RegionExtent regions,
    RegionStart starts) {

  public DetectionOptions {
    detectors = Set.copyOf(detectors);
  }

  public DetectionOptions(
      Set<Detector> detectors,
      PersistenceDomain domain,
      boolean initRemoval,
      boolean insideLibraries) {
    this(detectors, domain, initRemoval, insideLibraries, RegionExtent.PIFR);
  }

  public DetectionOptions(
      Set<Detector> detectors,
      PersistenceDomain domain,
      boolean initRemoval,
      boolean insideLibraries,
      RegionExtent regions) {
    this(detectors, domain, initRemoval, insideLibraries, regions, RegionStart.LOOKBACK);
  }

  /** The detectors that a user gets who names none. */
  public static DetectionOptions standard() {
    return new DetectionOptions(Detector.byDefault(), PersistenceDomain.ADR, true, false);
  }

  public boolean has(Detector detector) {
    return detectors.contains(detector);
  }
}
