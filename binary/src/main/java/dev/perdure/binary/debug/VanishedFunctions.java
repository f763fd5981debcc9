package dev.perdure.binary.debug;

import dev.perdure.model.code.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Functions that were inlined and are gone from the debug information, since the compiler gave
 * their only access to the use of their result. The source text still has them: the line of the
 * call names a function whose body is one statement.
 */
final class VanishedFunctions {
  private static final Pattern CALL = Pattern.compile("\\b([A-Za-z_]\\w*)\\s*\\(");
  private static final Pattern NO_CODE =
      Pattern.compile(
          "//[^\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\n])*+'",
          Pattern.DOTALL);
  private static final long LARGEST_FILE = 4 << 20;

  private final Map<String, Optional<String>> texts = new HashMap<>();

  /**
   * The only statement of the function that a line calls.
   *
   * @param known whether the debug information knows a function of that name
   */
  Optional<Frame> calledIn(Frame line, Predicate<String> known) {
    if (line.line() == 0) {
      return Optional.empty();
    }
    return texts
        .computeIfAbsent(line.file(), VanishedFunctions::read)
        .flatMap(text -> calledIn(text, line, known));
  }

  private static Optional<Frame> calledIn(String text, Frame line, Predicate<String> known) {
    List<Frame> found = new ArrayList<>();
    Matcher calls = CALL.matcher(text.lines().skip(line.line() - 1L).findFirst().orElse(""));
    while (calls.find()) {
      if (!known.test(calls.group(1))) {
        definition(text, line.file(), calls.group(1)).ifPresent(found::add);
      }
    }
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  private static Optional<Frame> definition(String text, String file, String name) {
    Matcher body =
        Pattern.compile("\\b" + name + "\\s*\\([^;{}]*\\)\\s*\\{\\s*([^;{}\\s][^;{}]*;)\\s*\\}")
            .matcher(text);
    return body.find()
        ? Optional.of(new Frame(name, file, 1 + newlines(text.substring(0, body.start(1)))))
        : Optional.empty();
  }

  private static int newlines(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  /** A source file without comments and literals, its lines where they were. */
  private static Optional<String> read(String file) {
    try {
      Path path = Path.of(file);
      if (!Files.isRegularFile(path) || Files.size(path) > LARGEST_FILE) {
        return Optional.empty();
      }
      String text = Files.readString(path, StandardCharsets.ISO_8859_1);
      return Optional.of(
          NO_CODE.matcher(text).replaceAll(found -> "\n".repeat(newlines(found.group()))));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }
}
