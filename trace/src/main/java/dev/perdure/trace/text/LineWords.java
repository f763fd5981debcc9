package dev.perdure.trace.text;

import java.util.ArrayList;
import java.util.List;

/** Words of a line; one with spaces, quotes or nothing in it stands in double quotes. */
final class LineWords {
  private LineWords() {}

  static String quote(String word) {
    boolean plain =
        !word.isEmpty()
            && !word.equals("<")
            && word.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '\\');
    if (plain) {
      return word;
    }
    StringBuilder out = new StringBuilder("\"");
    for (char c : word.toCharArray()) {
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        default -> out.append(c);
      }
    }
    return out.append('"').toString();
  }

  /** Splits a line; quoted words lose their quotes and are marked, so that "<" and < differ. */
  static List<Word> split(String line) throws BadLine {
    List<Word> words = new ArrayList<>();
    int at = 0;
    while (true) {
      while (at < line.length() && line.charAt(at) == ' ') {
        at++;
      }
      if (at == line.length()) {
        return words;
      }
      boolean quoted = line.charAt(at) == '"';
      StringBuilder word = new StringBuilder();
      at = quoted ? quotedWord(line, at + 1, word) : plainWord(line, at, word);
      words.add(new Word(word.toString(), quoted));
    }
  }

  private static int plainWord(String line, int from, StringBuilder word) {
    int end = line.indexOf(' ', from);
    end = end < 0 ? line.length() : end;
    word.append(line, from, end);
    return end;
  }

  private static int quotedWord(String line, int from, StringBuilder word) throws BadLine {
    for (int at = from; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == '"') {
        return at + 1;
      }
      if (c == '\\' && at + 1 < line.length()) {
        char escaped = line.charAt(++at);
        c = escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
      }
      word.append(c);
    }
    throw new BadLine("a quote is not closed");
  }

  record Word(String text, boolean quoted) {
    boolean is(String plain) {
      return !quoted && text.equals(plain);
    }
  }

  /** What is wrong with a line. */
  static final class BadLine extends Exception {
    private static final long serialVersionUID = 1L;

    BadLine(String what) {
      super(what);
    }
  }
}
