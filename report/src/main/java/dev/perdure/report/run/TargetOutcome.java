package dev.perdure.report.run;

import java.util.List;
import java.util.OptionalInt;

/**
 * The program under test and how it ended.
 *
 * @param exit its exit code, where it ended with one
 * @param signal the number of the signal that ended it
 */
public record TargetOutcome(
    List<String> command, OptionalInt exit, OptionalInt signal, Ending ending) {
  private static final int SIGKILL = 9;

  public TargetOutcome {
    command = List.copyOf(command);
  }

  public static TargetOutcome exited(List<String> command, int exit) {
    return new TargetOutcome(command, OptionalInt.of(exit), OptionalInt.empty(), Ending.EXITED);
  }

  public static TargetOutcome signalled(List<String> command, int signal) {
    return new TargetOutcome(
        command, OptionalInt.empty(), OptionalInt.of(signal), Ending.SIGNALLED);
  }

  /** Whether it did not end when it was asked to, and had to be killed. */
  public boolean killed() {
    return ending == Ending.STOPPED && signal.orElse(0) == SIGKILL;
  }

  /** Whether the target failed in a way that makes Perdure's own exit code 3. */
  public boolean broken() {
    return ending == Ending.SIGNALLED
        || ending == Ending.TIMED_OUT
        || ending == Ending.NOT_STARTED
        || killed();
  }
}
