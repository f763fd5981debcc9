package dev.perdure.model.config;

import java.util.regex.Pattern;

/** How frame patterns are written and compared. */
final class Syntax {
  static final Pattern FILE_AND_LINE = Pattern.compile("([^:]+):([0-9]{1,9})");
  static final Pattern FILE =
      Pattern.compile(
          "(?!.*\\boperator\\b).*(/.*|\\.(c|cc|cpp|cxx|h|hh|hpp|hxx|inc|inl|ipp|s|S|rs))");

  static final Pattern LIBRARY = Pattern.compile("[^/:() ]+\\.so[.0-9*]*");

  private Syntax() {}

  static Pattern glob(String text) {
    var regex = new StringBuilder();
    for (String part : text.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return Pattern.compile(regex.toString());
  }

  /** {@code a::f(int) const} without what follows the name; function types inside stay. */
  static String withoutParameters(String function) {
    int depth = 0;
    for (int i = 0; i < function.length(); i++) {
      char c = function.charAt(i);
      if (c == '<') {
        depth++;
      } else if (c == '>') {
        depth--;
      } else if (c == '('
          && depth <= 0
          && i > 0
          && !function.startsWith("(anonymous namespace)", i)) {
        return function.substring(0, i);
      }
    }
    return function;
  }

  static String lastComponent(String name) {
    int colons = name.lastIndexOf("::");
    return colons < 0 ? name : name.substring(colons + 2);
  }

  static boolean endsWithPath(String file, String path) {
    return file.equals(path) || file.endsWith("/" + path);
  }
}
