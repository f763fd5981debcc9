package dev.perdure.robust.patch;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads the statements of a C or C++ source, without types and without macros: just enough to know
 * where one begins and ends. A pair of braces is a block if it has a statement in it.
 */
final class StatementReader {
  private static final Map<String, Statement.Kind> CONTROL =
      Map.of(
          "if", Statement.Kind.IF,
          "while", Statement.Kind.WHILE,
          "for", Statement.Kind.FOR,
          "switch", Statement.Kind.SWITCH);
  private static final Set<String> BEFORE_LABEL =
      Set.of("case", "default", "public", "private", "protected");

  private final SourceText source;
  private final String code;
  private int at;

  private StatementReader(SourceText source) {
    this.source = source;
    this.code = source.code();
  }

  /** The whole file as one block. */
  static Statement read(SourceText source) {
    StatementReader reader = new StatementReader(source);
    Statement file = new Statement(Statement.Kind.BLOCK, 0);
    while (reader.skipToStatement(file) < reader.code.length()) {
      file.add(reader.statement());
    }
    file.endAt(reader.code.length() + 1);
    return file;
  }

  /** Passes blanks, labels and stray closing braces. */
  private int skipToStatement(Statement block) {
    while (true) {
      at = source.skipBlanks(at);
      if (at < code.length() && code.charAt(at) == '}' && block.parent() == null) {
        at++;
      } else if (!skipLabel()) {
        return at;
      }
    }
  }

  private boolean skipLabel() {
    String word = word(at);
    if (word.isEmpty()) {
      return false;
    }
    int behind = at + word.length();
    if (BEFORE_LABEL.contains(word)) {
      int colon = labelColon(behind);
      at = colon < 0 ? at : colon + 1;
      return colon >= 0;
    }
    int next = source.skipBlanks(behind);
    boolean label =
        next < code.length()
            && code.charAt(next) == ':'
            && !code.startsWith("::", next)
            && !word.equals("default");
    at = label ? next + 1 : at;
    return label;
  }

  private int labelColon(int from) {
    for (int i = from; i < code.length(); i++) {
      char c = code.charAt(i);
      if (c == ':' && !code.startsWith("::", i)) {
        return i;
      } else if (c == ':') {
        i++;
      } else if (c == ';' || c == '{' || c == '}') {
        return -1;
      }
    }
    return -1;
  }

  private String word(int from) {
    int end = from;
    while (end < code.length() && Character.isJavaIdentifierPart(code.charAt(end))) {
      end++;
    }
    return code.substring(from, end);
  }

  private Statement statement() {
    int start = at;
    if (code.charAt(start) == '{') {
      return block();
    }
    String word = word(start);
    if (CONTROL.containsKey(word)) {
      return control(CONTROL.get(word), start + word.length());
    }
    if (word.equals("do")) {
      return doLoop();
    }
    if (isMacroOnItsOwn(word)) {
      Statement macro = new Statement(Statement.Kind.SIMPLE, start);
      at = start + word.length();
      macro.endAt(at);
      return macro;
    }
    return simple(word.equals("return") ? Statement.Kind.RETURN : Statement.Kind.SIMPLE);
  }

  /** A word in capitals that has its line to itself ends a block of a macro, or begins one. */
  private boolean isMacroOnItsOwn(String word) {
    return word.length() > 1
        && word.equals(word.toUpperCase(Locale.ROOT))
        && source.endsLine(at + word.length());
  }

  private Statement block() {
    Statement block = new Statement(Statement.Kind.BLOCK, at++);
    while (at < code.length()) {
      at = source.skipBlanks(at);
      while (at < code.length() && code.charAt(at) != '}' && skipLabel()) {
        at = source.skipBlanks(at);
      }
      if (at >= code.length() || code.charAt(at) == '}') {
        break;
      }
      block.add(statement());
    }
    at = Math.min(code.length(), at + 1);
    block.endAt(at);
    return block;
  }

  private Statement control(Statement.Kind kind, int behindWord) {
    Statement control = new Statement(kind, at);
    at = behindWord;
    head(control);
    body(control);
    int next = source.skipBlanks(at);
    if (kind == Statement.Kind.IF && word(next).equals("else")) {
      at = next + "else".length();
      body(control);
    }
    control.endAt(at);
    return control;
  }

  private void head(Statement control) {
    int open = code.indexOf('(', at);
    if (open < 0) {
      at = code.length();
      return;
    }
    at = open + 1;
    group(control, ')');
    control.setHead(open + 1, at - 1);
  }

  private void body(Statement control) {
    at = source.skipBlanks(at);
    while (at < code.length() && code.charAt(at) != '}' && skipLabel()) {
      at = source.skipBlanks(at);
    }
    if (at < code.length()) {
      control.add(statement());
    }
  }

  private Statement doLoop() {
    Statement loop = new Statement(Statement.Kind.DO, at);
    at += "do".length();
    body(loop);
    at = source.skipBlanks(at);
    if (word(at).equals("while")) {
      head(loop);
      int semicolon = code.indexOf(';', at);
      at = semicolon < 0 ? code.length() : semicolon + 1;
    }
    loop.endAt(at);
    return loop;
  }

  /** Up to a semicolon, or to the end of a block that makes it a definition. */
  private Statement simple(Statement.Kind kind) {
    Statement simple = new Statement(kind, at);
    while (at < code.length()) {
      char c = code.charAt(at);
      if (c == ';') {
        at++;
        break;
      } else if (c == '}') {
        break;
      } else if (c == '{' && isBlock(at)) {
        Statement headed = new Statement(Statement.Kind.HEADED, simple.start());
        simple.children().forEach(headed::add);
        headed.add(block());
        headed.endAt(at);
        return headed;
      }
      step(simple);
    }
    simple.endAt(at);
    return simple;
  }

  /** One character of an expression, or a whole group in brackets. */
  private void step(Statement owner) {
    char c = code.charAt(at++);
    switch (c) {
      case '(' -> group(owner, ')');
      case '[' -> group(owner, ']');
      case '{' -> group(owner, '}');
      default -> {}
    }
  }

  private void group(Statement owner, char closing) {
    while (at < code.length()) {
      char c = code.charAt(at);
      if (c == closing) {
        at++;
        return;
      }
      if (c == '{' && isBlock(at)) {
        owner.add(block());
      } else {
        step(owner);
      }
    }
  }

  /** Braces with a statement in them; of empty ones, those of a function. */
  private boolean isBlock(int open) {
    int depth = 0;
    for (int i = open; i < code.length(); i++) {
      char c = code.charAt(i);
      if (c == ';') {
        return true;
      }
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth == 0) {
        return code.substring(open + 1, i).isBlank() && isBehindHead(open);
      }
    }
    return false;
  }

  private boolean isBehindHead(int open) {
    String before = code.substring(Math.max(0, open - 200), open).stripTrailing();
    return before.endsWith(")")
        || before.matches("(?s).*\\b(const|noexcept|override|final|mutable)");
  }
}
