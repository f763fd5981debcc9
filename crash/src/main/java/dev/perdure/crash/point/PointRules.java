package dev.perdure.crash.point;

/**
 * Where failures are injected.
 *
 * @param beforeStores before every PM store, too
 * @param insideLibraries inside PM libraries, too
 * @param most points at most, after merging
 */
public record PointRules(boolean beforeStores, boolean insideLibraries, int most) {}
