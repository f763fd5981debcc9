package dev.perdure.crash.recovery;

/** Recovery cannot be run at all; the message says why and what to do. */
public final class RecoveryException extends Exception {
  private static final long serialVersionUID = 1L;

  public RecoveryException(String message, Throwable cause) {
    super(message, cause);
  }
}
