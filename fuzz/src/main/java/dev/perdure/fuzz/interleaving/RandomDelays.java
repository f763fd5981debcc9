package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.area.AreaLayout;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.area.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The paper's baseline: a random delay of at most a millisecond before each access of PM. */
public final class RandomDelays implements Strategy {
  private static final Duration LONGEST = Duration.ofMillis(1);
  private static final int CAMPAIGNS = 8;

  private int left;

  @Override
  public void begin() {
    left = CAMPAIGNS;
  }

  @Override
  public boolean learn(Sharing sharing) {
    // Delays stand everywhere, whatever is shared.
    return false;
  }

  @Override
  public Optional<Schedule> next(long seed) {
    if (left-- <= 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Schedule(
            AreaLayout.STRATEGY_DELAYS,
            seed,
            Duration.ZERO,
            Duration.ZERO,
            LONGEST,
            Waits.FOR_ANY_STORE,
            List.of(),
            List.of()));
  }

  @Override
  public void explored(Schedule schedule, ExplorationArea area) {
    // One delay is as good as the next.
  }

  @Override
  public String state() {
    return "random delays";
  }
}
