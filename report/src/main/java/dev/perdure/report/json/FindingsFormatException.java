package dev.perdure.report.json;

/** A file that is no findings.json; the message is one line for the user. */
public final class FindingsFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  public FindingsFormatException(String message) {
    super(message);
  }

  public FindingsFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
