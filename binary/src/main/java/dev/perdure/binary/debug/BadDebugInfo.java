package dev.perdure.binary.debug;

/** Debug information that cannot be read; the message says what is wrong. */
final class BadDebugInfo extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadDebugInfo(String message) {
    super(message);
  }
}
