package dev.perdure.target;

import java.util.Map;
import java.util.OptionalInt;

/**
 * How a run of the target came to its end.
 *
 * @param cause who ended it
 * @param exit the main process's exit code, if it exited
 * @param signal the signal that ended it, if one did
 * @param killed whether it had to be killed because it did not end when asked to
 */
public record Outcome(Cause cause, OptionalInt exit, OptionalInt signal, boolean killed) {
  private static final Map<Integer, String> SIGNALS =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(5, "SIGTRAP"),
          Map.entry(6, "SIGABRT"),
          Map.entry(7, "SIGBUS"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(10, "SIGUSR1"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(12, "SIGUSR2"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"),
          Map.entry(31, "SIGSYS"));

  /** Who ended the run. */
  public enum Cause {
    TARGET,
    TIMEOUT,
    DURATION,
    INTERRUPT
  }

  /** Whether the run came to an end of its own, be it one that it was asked for. */
  public boolean complete() {
    return switch (cause) {
      case TARGET -> signal.isEmpty();
      case TIMEOUT -> false;
      case DURATION, INTERRUPT -> !killed;
    };
  }

  /** Whether a signal that nobody asked for, or the time limit, ended it. */
  public boolean failed() {
    return !complete();
  }

  /** In words, to follow "the target". */
  public String description() {
    return switch (cause) {
      case TARGET -> how();
      case TIMEOUT -> "was killed by the time limit";
      case DURATION ->
          killed
              ? "did not end when its time was up, and was killed"
              : "was ended when its time was up";
      case INTERRUPT -> killed ? "did not end when interrupted, and was killed" : "was interrupted";
    };
  }

  private String how() {
    return signal.isPresent()
        ? "was ended by signal " + signal.getAsInt() + signalName(signal.getAsInt())
        : "exited with code " + exit.orElse(0);
  }

  private static String signalName(int number) {
    String name = SIGNALS.get(number);
    return name == null ? "" : " (" + name + ")";
  }
}
