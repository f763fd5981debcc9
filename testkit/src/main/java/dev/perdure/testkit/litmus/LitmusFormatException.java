package dev.perdure.testkit.litmus;

/** A litmus program, or a findings file, that cannot be read; the message says what is wrong. */
public final class LitmusFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  public LitmusFormatException(String message) {
    super(message);
  }
}
