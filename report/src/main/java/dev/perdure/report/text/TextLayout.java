package dev.perdure.report.text;

import java.util.ArrayList;
import java.util.List;

/** Breaking and cutting of lines. */
final class TextLayout {
  private TextLayout() {}

  /** Lines of at most the given width; words that are longer are broken. */
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    var line = new StringBuilder();
    for (String word : text.strip().split(" +")) {
      String rest = word;
      if (!line.isEmpty() && line.length() + 1 + rest.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (rest.length() > width) {
        lines.add(rest.substring(0, width));
        rest = rest.substring(width);
      }
      line.append(line.isEmpty() ? "" : " ").append(rest);
    }
    lines.add(line.toString());
    return lines;
  }

  /** The text, cut at its end where it is too long. */
  static String cut(String text, int width, TerminalStyle style) {
    String mark = style.ellipsis();
    return text.length() <= width
        ? text
        : text.substring(0, Math.max(0, width - mark.length())).stripTrailing() + mark;
  }

  static String pad(String text, int width) {
    return text.length() >= width ? text : text + " ".repeat(width - text.length());
  }
}
