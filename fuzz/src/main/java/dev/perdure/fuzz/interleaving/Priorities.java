package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.area.AreaLayout;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.area.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Probabilistic concurrency testing: random priorities for the threads, and a few random places at
 * which the running thread becomes the least urgent one.
 */
public final class Priorities implements Strategy {
  private static final int CAMPAIGNS = 8;
  private static final int DEPTH = 3;

  private long accesses = 1;
  private int left;

  @Override
  public void begin() {
    left = CAMPAIGNS;
  }

  @Override
  public boolean learn(Sharing sharing) {
    // Priorities do not depend on what is shared.
    return false;
  }

  @Override
  public Optional<Schedule> next(long seed) {
    if (left-- <= 0) {
      return Optional.empty();
    }
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> changes = new ArrayList<>();
    for (int i = 1; i < DEPTH; i++) {
      changes.add(1 + random.nextLong(accesses));
    }
    return Optional.of(
        new Schedule(
            AreaLayout.STRATEGY_PRIORITIES,
            seed,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Waits.FOR_ANY_STORE,
            changes,
            List.of()));
  }

  @Override
  public void explored(Schedule schedule, ExplorationArea area) {
    accesses = Math.max(accesses, area.accesses());
  }

  @Override
  public String state() {
    return "random priorities";
  }
}
