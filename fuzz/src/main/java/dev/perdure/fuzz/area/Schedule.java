package dev.perdure.fuzz.area;

import java.time.Duration;
import java.util.List;

/**
 * How the threads of one campaign are steered.
 *
 * @param strategy one of {@link AreaLayout}'s
 * @param seed of the choices that the target makes itself
 * @param waits of readers, for sync points
 * @param changePoints for priorities: numbers of accesses
 */
public record Schedule(
    int strategy,
    long seed,
    Duration writerWait,
    Duration readerWait,
    Duration longestDelay,
    Waits waits,
    List<Long> changePoints,
    List<SyncPoint> points) {

  public Schedule {
    changePoints = List.copyOf(changePoints);
    points = List.copyOf(points);
  }

  /** Threads run as they like. */
  public static Schedule free(long seed) {
    return new Schedule(
        AreaLayout.STRATEGY_NONE,
        seed,
        Duration.ZERO,
        Duration.ZERO,
        Duration.ZERO,
        Waits.FOR_ANY_STORE,
        List.of(),
        List.of());
  }
}
