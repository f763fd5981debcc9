package dev.perdure.fuzz.input;

/** A grammar file that cannot be read; the message names the file, the line and the remedy. */
public final class GrammarException extends Exception {
  private static final long serialVersionUID = 1;

  public GrammarException(String message) {
    super(message);
  }
}
