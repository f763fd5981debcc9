package dev.perdure.crash;

/** The program under test cannot be tested as it is; the message says why. */
public final class CrashTestException extends Exception {
  private static final long serialVersionUID = 1L;

  CrashTestException(String message) {
    super(message);
  }
}
