package dev.perdure.cli;

import java.util.List;
import java.util.stream.Collectors;

/** Words as one would type them into a shell. */
final class ShellWords {
  private ShellWords() {}

  static String join(List<String> words) {
    return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
  }

  private static String quote(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
