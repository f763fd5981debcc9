package dev.perdure.model.config;

import dev.perdure.model.code.Frame;
import java.util.regex.Pattern;

/**
 * A frame described by function, by file, by file and line, or by library, as suppressions write
 * it. A {@code *} stands for any text in names of functions and libraries; a file matches by its
 * last path components.
 */
public sealed interface FramePattern {

  boolean matches(Frame frame);

  /** Reads {@code resize}, {@code table.c}, {@code src/table.c:785}, {@code libtable.so.1}. */
  static FramePattern parse(String text) {
    var fileAndLine = Syntax.FILE_AND_LINE.matcher(text);
    if (fileAndLine.matches()) {
      return new InLine(fileAndLine.group(1), Integer.parseInt(fileAndLine.group(2)));
    }
    if (Syntax.LIBRARY.matcher(text).matches()) {
      return new InModule(text);
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

  /** Any code of a library; only frames of plain binaries know theirs. */
  record InModule(String name) implements FramePattern {
    @Override
    public boolean matches(Frame frame) {
      return Syntax.glob(name).matcher(frame.module()).matches();
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
