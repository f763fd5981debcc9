package dev.perdure.fuzz.input;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The operations that a program understands.
 *
 * @param separator what stands behind each operation
 */
public record Grammar(List<OperationType> operations, String separator) {
  public Grammar {
    operations = List.copyOf(operations);
  }

  /** Splits an input into its operations. */
  List<Operation> parse(byte[] input) {
    String text = new String(input, StandardCharsets.ISO_8859_1);
    List<Operation> parsed = new ArrayList<>();
    for (String part : text.split(java.util.regex.Pattern.quote(separator))) {
      if (!part.isEmpty()) {
        parsed.add(operation(part));
      }
    }
    return parsed;
  }

  private Operation operation(String text) {
    for (OperationType type : operations) {
      Optional<List<String>> values = type.parse(text);
      if (values.isPresent()) {
        return new Operation(type, values.get());
      }
    }
    return Operation.raw(text);
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
