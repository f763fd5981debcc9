package dev.perdure.robust.patch;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement by its places in the text: from its first character to behind its semicolon or brace.
 * Labels belong to no statement.
 */
final class Statement {
  /** What a statement is; any head with a block behind it, such as a function, is HEADED. */
  enum Kind {
    BLOCK,
    IF,
    WHILE,
    FOR,
    DO,
    SWITCH,
    RETURN,
    HEADED,
    SIMPLE
  }

  private final Kind kind;
  private final int start;
  private int end;
  private int headStart = -1;
  private int headEnd = -1;
  private Statement parent;
  private final List<Statement> children = new ArrayList<>();

  Statement(Kind kind, int start) {
    this.kind = kind;
    this.start = start;
  }

  Kind kind() {
    return kind;
  }

  int start() {
    return start;
  }

  /** Behind the last character. */
  int end() {
    return end;
  }

  void endAt(int offset) {
    end = offset;
  }

  /** The parentheses of an if, a loop or a switch contain what lies from there... */
  int headStart() {
    return headStart;
  }

  /** ... to there. */
  int headEnd() {
    return headEnd;
  }

  void setHead(int from, int to) {
    headStart = from;
    headEnd = to;
  }

  boolean inHead(int offset) {
    return headStart >= 0 && offset >= headStart && offset < headEnd;
  }

  void add(Statement child) {
    child.parent = this;
    children.add(child);
  }

  Statement parent() {
    return parent;
  }

  List<Statement> children() {
    return children;
  }

  boolean contains(int offset) {
    return offset >= start && offset < end;
  }

  /** The innermost statement around a place. */
  Statement at(int offset) {
    for (Statement child : children) {
      if (child.contains(offset)) {
        return child.at(offset);
      }
    }
    return this;
  }

  /** Whether it is the body of an if, an else or a loop and has no braces. */
  boolean isBareBody() {
    return kind != Kind.BLOCK
        && parent != null
        && switch (parent.kind) {
          case IF, WHILE, FOR, DO, SWITCH -> true;
          default -> false;
        };
  }
}
