package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Chooses the schedules of campaigns, one input after the other. */
public interface Strategy {
  /** A new input: what is shared must be learned again. */
  void begin();

  /**
   * What a campaign of the input has shown.
   *
   * @param entries what its threads share
   * @param met what met while it was unpersisted
   * @return whether some of it had not met before
   */
  boolean learn(List<SharedAccess> entries, Set<Meeting> met);

  /** The next interleaving; empty when there is none left that was not explored. */
  Optional<Schedule> next(long seed);

  /** What became of a campaign with that schedule. */
  void explored(Schedule schedule, ExplorationArea area);

  /** In a few words, what it is about now. */
  String state();
}
