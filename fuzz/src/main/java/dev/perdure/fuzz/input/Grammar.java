package dev.perdure.fuzz.input;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The operations that a program understands. */
public final class Grammar {
  private final List<OperationType> operations;
  private final String separator;
  private final List<Pattern> patterns;

  /**
   * @param separator what stands behind each operation
   */
  Grammar(List<OperationType> operations, String separator) {
    this.operations = List.copyOf(operations);
    this.separator = separator;
    String end = "(?:" + Pattern.quote(separator) + "|\\z)";
    this.patterns =
        operations.stream().map(o -> Pattern.compile(o.regex() + end, Pattern.DOTALL)).toList();
  }

  List<OperationType> operations() {
    return operations;
  }

  /** Splits an input into its operations. */
  List<Operation> parse(byte[] input) {
    String text = new String(input, StandardCharsets.ISO_8859_1);
    List<Operation> parsed = new ArrayList<>();
    for (int at = 0; at < text.length(); ) {
      int from = at;
      Optional<Matcher> found =
          patterns.stream()
              .map(p -> p.matcher(text).region(from, text.length()))
              .filter(Matcher::lookingAt)
              .findFirst();
      if (found.isPresent()) {
        parsed.add(operation(found.get()));
        at = found.get().end();
      } else {
        int next = text.indexOf(separator, at);
        int end = next < 0 ? text.length() : next;
        if (end > at) {
          parsed.add(Operation.raw(text.substring(at, end)));
        }
        at = end + separator.length();
      }
    }
    return parsed;
  }

  private Operation operation(Matcher match) {
    List<String> values = new ArrayList<>();
    for (int i = 1; i <= match.groupCount(); i++) {
      values.add(match.group(i));
    }
    return new Operation(operations.get(patterns.indexOf(match.pattern())), values);
  }

  byte[] render(List<Operation> input) {
    return input.stream()
        .map(o -> o.text() + separator)
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Whether an input consists of operations of this grammar. */
  public boolean explains(byte[] input) {
    return parse(input).stream().allMatch(o -> operations.contains(o.type()));
  }

  /** The operations of an input that are valid, by their first word; the others as {@code ""}. */
  public Map<String, Integer> count(byte[] input) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Operation operation : parse(input)) {
      String name = isValid(operation) ? operation.text().split("\\s", 2)[0] : "";
      counts.merge(name, 1, Integer::sum);
    }
    return counts;
  }

  private boolean isValid(Operation operation) {
    for (int i = 0; i < operation.values().size(); i++) {
      if (!operation.type().arguments().get(i).accepts(operation.values().get(i))) {
        return false;
      }
    }
    return operations.contains(operation.type());
  }

  /** Operations that add something; all of them where none says so. */
  List<OperationType> inserting() {
    List<OperationType> some = operations.stream().filter(OperationType::inserts).toList();
    return some.isEmpty() ? operations : some;
  }

  /**
   * What lines of words and numbers suggest: each first word is an operation, each further word
   * that is a number everywhere is an argument. Empty where the inputs are no such lines.
   */
  public static Optional<Grammar> suggestedBy(List<byte[]> inputs) {
    Map<String, List<String[]>> lines = new LinkedHashMap<>();
    for (byte[] input : inputs) {
      for (byte b : input) {
        if (b < ' ' && b != '\n' && b != '\r' && b != '\t') {
          return Optional.empty();
        }
      }
      for (String line : new String(input, StandardCharsets.ISO_8859_1).split("\r?\n")) {
        String[] words = line.strip().split("\\s+");
        if (!words[0].isEmpty()) {
          lines.computeIfAbsent(words[0] + " " + words.length, k -> new ArrayList<>()).add(words);
        }
      }
    }
    List<OperationType> operations = new ArrayList<>();
    lines.values().forEach(seen -> operations.add(suggested(seen)));
    return operations.isEmpty() ? Optional.empty() : Optional.of(new Grammar(operations, "\n"));
  }

  private static OperationType suggested(List<String[]> seen) {
    List<String> texts = new ArrayList<>(List.of(seen.get(0)[0]));
    List<ArgumentType> arguments = new ArrayList<>();
    for (int i = 1; i < seen.get(0).length; i++) {
      int at = i;
      texts.set(texts.size() - 1, texts.get(texts.size() - 1) + " ");
      List<String> words = seen.stream().map(w -> w[at]).distinct().toList();
      if (words.stream().allMatch(w -> w.matches("\\d{1,18}"))) {
        long most = words.stream().mapToLong(Long::parseLong).max().orElse(0);
        arguments.add(ArgumentType.range("#" + i, 0, Math.max(63, 2 * most)));
      } else {
        arguments.add(ArgumentType.choice("#" + i, words));
      }
      texts.add("");
    }
    return new OperationType(texts, arguments, soundsInserting(seen.get(0)[0]));
  }

  private static boolean soundsInserting(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return Arrays.asList("put", "set", "insert", "ins", "add", "push", "store", "i", "p")
        .contains(lower);
  }
}
