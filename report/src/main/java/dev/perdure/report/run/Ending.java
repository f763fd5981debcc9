package dev.perdure.report.run;

import java.util.Locale;
import java.util.Optional;

/** How the target came to its end. */
public enum Ending {
  /** By itself, with an exit code. */
  EXITED,
  /** By a signal that Perdure did not send. */
  SIGNALLED,
  /** Killed at {@code --timeout}. */
  TIMED_OUT,
  /** Asked to end: Ctrl-C or {@code --duration}. */
  STOPPED,
  /** It could not be started. */
  NOT_STARTED,
  /** There was no target, or how it ended is not recorded. */
  UNKNOWN;

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<Ending> byLabel(String label) {
    for (Ending ending : values()) {
      if (ending.label().equals(label)) {
        return Optional.of(ending);
      }
    }
    return Optional.empty();
  }
}
