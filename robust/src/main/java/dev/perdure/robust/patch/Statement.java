package dev.perdure.robust.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One source line with a store, read just well enough to say what it stores to. It understands
 * assignments, increments, and calls of functions that are given an address and perhaps a length.
 */
record Statement(String line) {
  private static final Pattern CONTROL =
      Pattern.compile("\\s*(if|for|while|else|do|switch|case)\\b.*");
  private static final Pattern ASSIGNMENT =
      Pattern.compile("^\\s*(?:[*&(\\w][^=;{}]*?)(?=\\s*(?:[-+*/%&|^]|<<|>>)?=(?!=))");
  private static final Pattern BY_LENGTH =
      Pattern.compile("\\b(?:mem(?:cpy|move|set|pcpy)|strn?cpy)\\s*\\(");
  private static final Pattern BY_ADDRESS =
      Pattern.compile("\\b(?:__atomic_\\w+|__sync_\\w+|atomic_\\w+)\\s*\\(");

  String indent() {
    Matcher blanks = Pattern.compile("^\\s*").matcher(line);
    return blanks.find() ? blanks.group() : "";
  }

  /** Whether the line is one plain statement and nothing else. */
  boolean isPlain() {
    String code = code();
    return code.endsWith(";")
        && code.indexOf(';') == code.length() - 1
        && !CONTROL.matcher(code).matches();
  }

  /** A call that flushes what the line stores; empty if that cannot be read from the line. */
  Optional<String> flush() {
    String code = code();
    Optional<List<String>> copied = arguments(BY_LENGTH, code);
    if (copied.isPresent() && copied.get().size() >= 3) {
      return Optional.of(
          "perdure_flush(%s, %s)".formatted(copied.get().get(0), copied.get().get(2)));
    }
    Optional<List<String>> atomic = arguments(BY_ADDRESS, code);
    if (atomic.isPresent() && !atomic.get().isEmpty()) {
      String address = atomic.get().get(0);
      return Optional.of("perdure_flush(%s, sizeof *(%s))".formatted(address, address));
    }
    String body = code.replaceFirst("^(?:\\s*(?:if|for|while)\\s*\\(.*?\\)\\s+)+", "");
    Matcher assignment = ASSIGNMENT.matcher(body);
    if (assignment.find()) {
      String target = assignment.group().strip();
      boolean declaration = target.matches("[\\w:<>]+[\\s*&]+\\w+") || target.matches("\\w+");
      return declaration
          ? Optional.empty()
          : Optional.of("perdure_flush(&(%s), sizeof(%s))".formatted(target, target));
    }
    Matcher increment =
        Pattern.compile("^\\s*(?:(\\S.*?)(?:\\+\\+|--)|(?:\\+\\+|--)(.*?));").matcher(body);
    if (increment.find()) {
      String target =
          (increment.group(1) == null ? increment.group(2) : increment.group(1)).strip();
      return Optional.of("perdure_flush(&(%s), sizeof(%s))".formatted(target, target));
    }
    return Optional.empty();
  }

  /** The line without its comment. */
  String code() {
    return line.replaceFirst("//.*", "").replaceAll("/\\*.*?\\*/", "").stripTrailing();
  }

  private static Optional<List<String>> arguments(Pattern call, String code) {
    Matcher start = call.matcher(code);
    if (!start.find()) {
      return Optional.empty();
    }
    List<String> arguments = new ArrayList<>();
    int depth = 0;
    int from = start.end();
    for (int i = from; i < code.length(); i++) {
      char c = code.charAt(i);
      if (c == '(' || c == '[' || c == '{') {
        depth++;
      } else if (c == ')' && depth == 0) {
        arguments.add(code.substring(from, i).strip());
        return Optional.of(arguments);
      } else if (c == ')' || c == ']' || c == '}') {
        depth--;
      } else if (c == ',' && depth == 0) {
        arguments.add(code.substring(from, i).strip());
        from = i + 1;
      }
    }
    return Optional.empty();
  }
}
