package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.area.Schedule;

/**
 * One run of the target.
 *
 * @param number from 1
 * @param input what stands in the file that {@code @@} names; empty where there is none
 * @param tier what it is run for
 */
public record Campaign(int number, byte[] input, Schedule schedule, Tier tier) {
  /** Its name for {@code --replay}. */
  public String id() {
    return "C" + number;
  }
}
