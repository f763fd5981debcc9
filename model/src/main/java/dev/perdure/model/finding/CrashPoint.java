package dev.perdure.model.finding;

import java.util.OptionalInt;

/**
 * The injected failure that a finding was seen after, and what became of recovery.
 *
 * @param index of the failure point in its run, from 1
 * @param place where the program was
 * @param image which of the possible contents of persistent memory recovery was given
 * @param recoveryExit the exit code with which recovery failed
 * @param recoverySignal the signal that ended it
 * @param hang whether it had to be ended by its time limit
 */
public record CrashPoint(
    int index,
    Place place,
    String image,
    OptionalInt recoveryExit,
    OptionalInt recoverySignal,
    boolean hang) {

  /** A failure after which recovery did not fail. */
  public static CrashPoint survived(int index, Place place, String image) {
    return new CrashPoint(index, place, image, OptionalInt.empty(), OptionalInt.empty(), false);
  }

  /** Whether recovery failed. */
  public boolean failed() {
    return recoveryExit.isPresent() || recoverySignal.isPresent() || hang;
  }
}
