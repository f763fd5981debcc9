package dev.perdure.report.configuration;

/** A configuration that cannot be used; the message is one line for the user. */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  public ConfigurationException(String message) {
    super(message);
  }

  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
