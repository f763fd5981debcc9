package dev.perdure.fuzz.area;

import java.time.Duration;
import java.util.List;

/**
 * How the threads of one campaign are steered.
 *
 * @param strategy one of {@link AreaLayout}'s
 * @param seed of the choices that the target makes itself
 * @param sameWord whether readers wait for a store to the word that they load, not for any store
 * @param changePoints for priorities: numbers of accesses
 */
public record Schedule(
    int strategy,
    long seed,
    Duration writerWait,
    Duration readerWait,
    Duration longestDelay,
    boolean sameWord,
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
        false,
        List.of(),
        List.of());
  }
}
