package dev.perdure.target;

/** The target could not be started. The message is one line for people. */
public final class TargetStartException extends Exception {
  private static final long serialVersionUID = 1L;

  public TargetStartException(String message) {
    super(message);
  }

  public TargetStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
