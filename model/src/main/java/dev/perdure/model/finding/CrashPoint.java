package dev.perdure.model.finding;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.util.List;
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

  /** The place of a failure that comes after everything the program did. */
  public static final Place END_OF_RUN =
      new Place(new Site(List.of(new Frame("at the end of the run", "", 0))), CallStack.EMPTY);

  /** Whether the program was still running. */
  public static boolean isBefore(Place place) {
    return !place.frame().function().equals(END_OF_RUN.frame().function());
  }

  /** A failure after which recovery did not fail. */
  public static CrashPoint survived(int index, Place place, String image) {
    return new CrashPoint(index, place, image, OptionalInt.empty(), OptionalInt.empty(), false);
  }

  /** Whether recovery failed. */
  public boolean failed() {
    return recoveryExit.isPresent() || recoverySignal.isPresent() || hang;
  }
}
