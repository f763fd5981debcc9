package dev.perdure.robust.patch;

import java.util.ArrayList;
import java.util.List;

/** The characters of a source file, its lines, and which of them are code. */
final class SourceText {
  private final String text;
  private final String code;
  private final List<Integer> lineStarts = new ArrayList<>();

  SourceText(String text) {
    this.text = text;
    this.code = withoutComments(text);
    lineStarts.add(0);
    for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
      lineStarts.add(i + 1);
    }
  }

  /** The text with blanks in place of comments, literals' contents and directives. */
  String code() {
    return code;
  }

  String text() {
    return text;
  }

  int lineCount() {
    return lineStarts.size();
  }

  /** Where a line starts; lines count from 1. */
  int lineStart(int line) {
    return lineStarts.get(line - 1);
  }

  int lineEnd(int line) {
    int end = line < lineStarts.size() ? lineStarts.get(line) - 1 : text.length();
    return Math.max(lineStart(line), end);
  }

  int lineOf(int offset) {
    int low = 1;
    int high = lineStarts.size();
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (lineStart(middle) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  String line(int line) {
    return text.substring(lineStart(line), lineEnd(line));
  }

  String indent(int line) {
    String content = line(line);
    return content.substring(0, content.length() - content.stripLeading().length());
  }

  /** Whether nothing but blanks lies before the place in its line. */
  boolean startsLine(int offset) {
    return text.substring(lineStart(lineOf(offset)), offset).isBlank();
  }

  /** Whether no code follows the place in its line. */
  boolean endsLine(int offset) {
    return code.substring(offset, lineEnd(lineOf(offset))).isBlank();
  }

  /** The first place from there on that is not blank. */
  int skipBlanks(int offset) {
    int at = offset;
    while (at < code.length() && Character.isWhitespace(code.charAt(at))) {
      at++;
    }
    return at;
  }

  private static String withoutComments(String text) {
    StringBuilder code = new StringBuilder(text);
    int i = 0;
    while (i < text.length()) {
      int end = i;
      boolean quoted = text.charAt(i) == '"' || text.charAt(i) == '\'';
      if (text.startsWith("//", i) || startsDirective(text, i)) {
        end = endOfLogicalLine(text, i);
      } else if (text.startsWith("/*", i)) {
        end = text.indexOf("*/", i + 2);
        end = end < 0 ? text.length() : end + 2;
      } else if (quoted && !isDigitSeparator(text, i)) {
        end = endOfLiteral(text, i);
      }
      int from = quoted ? i + 1 : i;
      int to = quoted ? end - 1 : end;
      for (int k = from; k < to; k++) {
        code.setCharAt(k, text.charAt(k) == '\n' ? '\n' : ' ');
      }
      i = Math.max(end, i + 1);
    }
    return code.toString();
  }

  private static boolean isDigitSeparator(String text, int i) {
    return text.charAt(i) == '\''
        && i > 0
        && Character.digit(text.charAt(i - 1), 16) >= 0
        && i + 1 < text.length()
        && Character.digit(text.charAt(i + 1), 16) >= 0;
  }

  private static boolean startsDirective(String text, int i) {
    return text.charAt(i) == '#' && text.substring(text.lastIndexOf('\n', i) + 1, i).isBlank();
  }

  private static int endOfLogicalLine(String text, int from) {
    int end = text.indexOf('\n', from);
    while (end > 0 && text.charAt(end - 1) == '\\') {
      end = text.indexOf('\n', end + 1);
    }
    return end < 0 ? text.length() : end;
  }

  private static int endOfLiteral(String text, int start) {
    for (int i = start + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == text.charAt(start) || text.charAt(i) == '\n') {
        return i + 1;
      }
    }
    return text.length();
  }
}
