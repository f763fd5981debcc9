package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import java.util.Optional;

/** Chooses the schedules of campaigns, one input after the other. */
public interface Strategy {
  /** A new input: what is shared must be learned again. */
  void begin();

  /**
   * What a campaign of the input has shown.
   *
   * @return whether some of it had not come about before
   */
  boolean learn(Sharing sharing);

  /** The next interleaving; empty when there is none left that was not explored. */
  Optional<Schedule> next(long seed);

  /** What became of a campaign with that schedule. */
  void explored(Schedule schedule, ExplorationArea area);

  /** In a few words, what it is about now. */
  String state();
}
