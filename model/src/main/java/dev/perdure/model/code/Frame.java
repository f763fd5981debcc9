package dev.perdure.model.code;

import java.io.Serializable;

/**
 * One line of a call stack or of an inline chain: a function, and where in it.
 *
 * @param function the demangled name, or {@code ""} where it is not known
 * @param file the path as the compiler saw it, or {@code ""}
 * @param line 1-based, or 0 where it is not known
 * @param module the name of the executable or library, or {@code ""} where it is not known
 * @param offset where there is no line, how many bytes into the function; else {@link #NO_OFFSET}
 */
public record Frame(String function, String file, int line, String module, long offset)
    implements Serializable {
  public static final long NO_OFFSET = -1;
  public static final Frame UNKNOWN = new Frame("", "", 0);

  /** A line of a function whose module does not matter. */
  public Frame(String function, String file, int line) {
    this(function, file, line, "", NO_OFFSET);
  }

  /** An instruction of a function without lines. */
  public static Frame at(String function, String module, long offset) {
    return new Frame(function, "", 0, module, offset);
  }

  /** An instruction of which only the module is known, and where in it. */
  public static Frame at(String module, long address) {
    return new Frame(module + "+0x" + Long.toHexString(address), "", 0, module, NO_OFFSET);
  }

  /** The same place in a module. */
  public Frame in(String newModule) {
    return in(newModule, offset);
  }

  /** The same place in a module, so many bytes into the function. */
  public Frame in(String newModule, long newOffset) {
    return new Frame(function, file, line, newModule, newOffset);
  }

  /** The same place under another name of the function. */
  public Frame named(String newFunction) {
    return new Frame(newFunction, file, line, module, offset);
  }

  /** The function, with the offset where there is no line: {@code resize+0x12}. */
  public String functionAndOffset() {
    return offset == NO_OFFSET || function.isEmpty()
        ? function
        : function + "+0x" + Long.toHexString(offset);
  }

  /** Whether the line stands in a header of the system or the compiler, as std::atomic's do. */
  public boolean isInSystemHeader() {
    return file.startsWith("/usr/") && !file.startsWith("/usr/src/")
        || file.contains("/lib/clang/");
  }

  /** The last component of the path. */
  public String fileName() {
    return file.substring(file.lastIndexOf('/') + 1);
  }
}
