package dev.perdure.report.text;

/**
 * How text is to look.
 *
 * @param width columns, between {@value #NARROWEST} and {@value #WIDEST}
 * @param color whether to use terminal colours
 * @param unicode whether characters outside ASCII may be used
 */
public record TerminalStyle(int width, boolean color, boolean unicode) {
  public static final int NARROWEST = 80;
  public static final int WIDEST = 140;

  /** For files, pipes and terminals of unknown abilities. */
  public static final TerminalStyle PLAIN = new TerminalStyle(100, false, false);

  public TerminalStyle {
    width = Math.max(NARROWEST, Math.min(WIDEST, width));
  }

  String ellipsis() {
    return unicode ? "…" : "...";
  }

  String horizontal() {
    return unicode ? "─" : "-";
  }

  String vertical() {
    return unicode ? "│" : "|";
  }

  String cross() {
    return unicode ? "┼" : "+";
  }

  /** The text without anything that would move the cursor or that the terminal cannot show. */
  String safe(String text) {
    var safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\t') {
                safe.append(' ');
              } else if (Character.isISOControl(c)
                  || Character.getType(c) == Character.FORMAT
                  || (c > 126 && !unicode)) {
                safe.append('?');
              } else {
                safe.appendCodePoint(c);
              }
            });
    return safe.toString();
  }

  String strong(String text) {
    return paint("1", text);
  }

  String faint(String text) {
    return paint("2", text);
  }

  String alarm(String text) {
    return paint("1;31", text);
  }

  String warning(String text) {
    return paint("1;33", text);
  }

  String label(String text) {
    return paint("36", text);
  }

  private String paint(String code, String text) {
    return color && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
