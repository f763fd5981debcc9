package dev.perdure.testkit.litmus;

import java.util.ArrayList;
import java.util.List;

/** Splits a line into words as a shell does: blanks, quotes, backslashes. */
final class ShellWords {
  private ShellWords() {}

  static List<String> split(String line) throws LitmusFormatException {
    List<String> words = new ArrayList<>();
    var word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote == '\'' ? c != '\'' : quote == '"' && c != '"' && c != '\\') {
        word.append(c);
      } else if (c == '\\' && i + 1 < line.length()) {
        char next = line.charAt(++i);
        if (quote == '"' && next != '"' && next != '\\') {
          word.append('\\');
        }
        word.append(next);
        inWord = true;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '\'' || c == '"') {
        quote = c;
        inWord = true;
      } else if (Character.isWhitespace(c)) {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
        }
        inWord = false;
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (quote != 0) {
      throw new LitmusFormatException("a quote is not closed in `" + line + "`");
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }
}
