package dev.perdure.fuzz.input;

import java.util.List;
import java.util.regex.Pattern;

/** A kind of operation: a text with places for arguments. */
final class OperationType {
  private final List<String> texts;
  private final List<ArgumentType> arguments;
  private final boolean inserts;
  private final String regex;

  /**
   * @param texts what stands before, between and behind the arguments
   * @param inserts whether it adds something, for the populate phase
   */
  OperationType(List<String> texts, List<ArgumentType> arguments, boolean inserts) {
    this.texts = List.copyOf(texts);
    this.arguments = List.copyOf(arguments);
    this.inserts = inserts;
    StringBuilder pattern = new StringBuilder(Pattern.quote(texts.get(0)));
    for (int i = 0; i < arguments.size(); i++) {
      pattern.append("(\\S+?)").append(Pattern.quote(texts.get(i + 1)));
    }
    this.regex = pattern.toString();
  }

  List<ArgumentType> arguments() {
    return arguments;
  }

  boolean inserts() {
    return inserts;
  }

  /** What an operation of this kind looks like, with a group for each argument. */
  String regex() {
    return regex;
  }

  /** What stands in an input. */
  String render(List<String> values) {
    StringBuilder text = new StringBuilder(texts.get(0));
    for (int i = 0; i < arguments.size(); i++) {
      text.append(values.get(i)).append(texts.get(i + 1));
    }
    return text.toString();
  }
}
