package dev.perdure.model.code;

/** Template arguments of C++ names, which can be longer than everything else that is said. */
public final class TemplateArguments {
  private static final int LONGEST = 24;
  private static final String OPERATOR = "operator";

  private TemplateArguments() {}

  /** A text with names in it, with dots for long template arguments. */
  public static String shortened(String text) {
    var kept = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int end = text.charAt(at) == '<' && !isOperator(kept) ? endOf(text, at) : at;
      if (end - at > LONGEST) {
        kept.append("<...>");
        at = end;
      } else {
        kept.append(text.charAt(at++));
      }
    }
    return kept.toString();
  }

  /** {@code operator<}, {@code operator<<}, {@code operator<=}. */
  private static boolean isOperator(StringBuilder before) {
    int length = before.length();
    int end = length > 0 && before.charAt(length - 1) == '<' ? length - 1 : length;
    return end >= OPERATOR.length()
        && before.substring(end - OPERATOR.length(), end).equals(OPERATOR);
  }

  /** Behind the bracket that closes this one; the same place where none does. */
  private static int endOf(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean arrow = c == '>' && text.charAt(i - 1) == '-';
      depth += c == '<' || c == '(' ? 1 : 0;
      depth -= c == ')' || c == '>' && !arrow ? 1 : 0;
      if (depth == 0) {
        return i + 1;
      }
    }
    return open;
  }
}
