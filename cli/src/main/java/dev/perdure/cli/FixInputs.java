package dev.perdure.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that a program is to be repaired from. */
final class FixInputs {
  private FixInputs() {}

  /** The inputs among the words for the compiler; complains of what cannot be repaired. */
  static List<String> of(List<String> words, boolean checkOnly) {
    List<String> inputs = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      boolean output = i > 0 && words.get(i - 1).equals("-o");
      if (!output && isInput(words.get(i))) {
        inputs.add(words.get(i));
      }
    }
    if (inputs.isEmpty()) {
      throw CommandFailure.usage(
          "no source file to fix: perdure fix [options] [clang args] FILE.c… -o PROGRAM");
    }
    for (String input : inputs) {
      if (input.matches(".*\\.(s|S|asm)")) {
        throw CommandFailure.usage(
            input
                + ": assembler input cannot be analysed; assemble it by itself and add the object"
                + " to the link with 'perdure cc --fix'");
      }
      Path file = Path.of(input);
      if (!Files.exists(file)) {
        throw CommandFailure.usage(input + ": there is no such file");
      }
      if (!Files.isReadable(file)) {
        throw CommandFailure.usage(input + ": cannot be read");
      }
    }
    boolean named = words.stream().anyMatch(word -> word.startsWith("-o"));
    if (!checkOnly && !named) {
      throw CommandFailure.usage(
          "-o PROGRAM is missing: where is the repaired program to go (or --check: report only)");
    }
    if (words.contains("-c") || words.contains("-S") || words.contains("-E")) {
      throw CommandFailure.usage(
          "fix works on whole programs: leave out -c, -S and -E, or build with 'perdure cc --fix'");
    }
    return inputs;
  }

  static boolean isCxx(String input) {
    return input.matches(".*\\.(cc|cp|cpp|cxx|c\\+\\+|C|CPP|ii)");
  }

  private static boolean isInput(String word) {
    return !word.startsWith("-")
        && word.matches(".*\\.(c|i|cc|cp|cpp|cxx|c\\+\\+|C|CPP|ii|s|S|asm|o|a|bc)");
  }
}
