package dev.perdure.model.config;

import dev.perdure.model.code.Frame;
import java.util.regex.Pattern;

/**
 * A frame described by function, by file, or by file and line, as suppressions write it. A {@code
 * *} stands for any text in function names; a file matches by its last path components.
 */
public sealed interface FramePattern {

  boolean matches(Frame frame);

  /** Reads {@code resize}, {@code table.c}, {@code src/table.c:785}. */
  static FramePattern parse(String text) {
    var fileAndLine = Syntax.FILE_AND_LINE.matcher(text);
    if (fileAndLine.matches()) {
      return new InLine(fileAndLine.group(1), Integer.parseInt(fileAndLine.group(2)));
    }
    return Syntax.FILE.matcher(text).matches() ? new InFile(text) : new InFunction(text);
  }

  /** A function; for C++, parameters and qualifiers may be left out. */
  record InFunction(String name) implements FramePattern {
    @Override
    public boolean matches(Frame frame) {
      String function = frame.function();
      String bare = Syntax.withoutParameters(function);
      Pattern wanted = Syntax.glob(name);
      return wanted.matcher(function).matches()
          || wanted.matcher(bare).matches()
          || wanted.matcher(Syntax.lastComponent(bare)).matches();
    }
  }

  /** Any line of a file. */
  record InFile(String path) implements FramePattern {
    @Override
    public boolean matches(Frame frame) {
      return Syntax.endsWithPath(frame.file(), path);
    }
  }

  /** One line of a file. */
  record InLine(String path, int line) implements FramePattern {
    @Override
    public boolean matches(Frame frame) {
      return frame.line() == line && Syntax.endsWithPath(frame.file(), path);
    }
  }
}
