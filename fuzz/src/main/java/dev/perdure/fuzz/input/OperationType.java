package dev.perdure.fuzz.input;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind of operation: a text with places for arguments.
 *
 * @param texts what stands before, between and behind the arguments
 * @param inserts whether it adds something, for the populate phase
 */
record OperationType(List<String> texts, List<ArgumentType> arguments, boolean inserts) {
  OperationType {
    texts = List.copyOf(texts);
    arguments = List.copyOf(arguments);
  }

  /** What stands in an input. */
  String render(List<String> values) {
    StringBuilder text = new StringBuilder(texts.get(0));
    for (int i = 0; i < arguments.size(); i++) {
      text.append(values.get(i)).append(texts.get(i + 1));
    }
    return text.toString();
  }

  /** The arguments, if the text is of this kind. */
  Optional<List<String>> parse(String text) {
    StringBuilder pattern = new StringBuilder(Pattern.quote(texts.get(0)));
    for (int i = 0; i < arguments.size(); i++) {
      pattern.append("(\\S+?)").append(Pattern.quote(texts.get(i + 1)));
    }
    Matcher matcher = Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    List<String> values = new ArrayList<>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      values.add(matcher.group(i));
    }
    return Optional.of(values);
  }
}
