package dev.perdure.cli;

/** Ends a command with one line for the user and an exit code; never shown as a stack trace. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Wrong usage, configuration or input, or not available in this version. */
  public static final int USAGE = 2;

  /** The target could not be started, or ended by a signal or a time limit. */
  public static final int TARGET = 3;

  /** An error in Perdure itself. */
  public static final int INTERNAL = 70;

  private final int exitCode;

  private CommandFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public static CommandFailure usage(String message) {
    return new CommandFailure(USAGE, message, null);
  }

  public static CommandFailure usage(String message, Throwable cause) {
    return new CommandFailure(USAGE, message, cause);
  }

  public static CommandFailure target(String message) {
    return new CommandFailure(TARGET, message, null);
  }

  public static CommandFailure internal(String message, Throwable cause) {
    return new CommandFailure(INTERNAL, message, cause);
  }

  public int exitCode() {
    return exitCode;
  }
}
