package dev.perdure.model.code;

/**
 * One line of a call stack or of an inline chain: a function, and where in it.
 *
 * @param function the demangled name, or {@code ""} where it is not known
 * @param file the path as the compiler saw it, or {@code ""}
 * @param line 1-based, or 0 where it is not known
 */
public record Frame(String function, String file, int line) {
  public static final Frame UNKNOWN = new Frame("", "", 0);

  /** The last component of the path. */
  public String fileName() {
    return file.substring(file.lastIndexOf('/') + 1);
  }
}
