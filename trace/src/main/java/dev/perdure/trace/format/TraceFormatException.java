package dev.perdure.trace.format;

import java.io.IOException;

/**
 * A file that is no trace, or none that this version reads. The message is one line for people: the
 * place, what is wrong there, what to do.
 */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param place a file, or a file and a line
   */
  public TraceFormatException(String place, String what, String remedy) {
    super(place + ": " + what + "; " + remedy);
  }
}
