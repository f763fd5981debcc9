package dev.perdure.crash.point;

import java.util.Optional;
import java.util.Set;

/**
 * Where failures are injected.
 *
 * @param beforeStores before every PM store, too
 * @param insideLibraries inside PM libraries, too
 * @param most points at most, after merging
 * @param everyImage whether images between everything and nothing are made of them
 * @param behind right behind the events of these numbers in the trace, and nowhere else
 */
public record PointRules(
    boolean beforeStores,
    boolean insideLibraries,
    int most,
    boolean everyImage,
    Optional<Set<Long>> behind) {

  public PointRules {
    behind = behind.map(Set::copyOf);
  }

  public PointRules(boolean beforeStores, boolean insideLibraries, int most, boolean everyImage) {
    this(beforeStores, insideLibraries, most, everyImage, Optional.empty());
  }

  /** Failures right behind these events, counted from 1, and nowhere else. */
  public static PointRules behind(Set<Long> events) {
    return new PointRules(false, true, Integer.MAX_VALUE, false, Optional.of(events));
  }
}
