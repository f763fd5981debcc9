package dev.perdure.llvm.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Replaces {@code @file} by the words in the file, quoted as in a shell. */
record ResponseFiles(Path workingDirectory) {
  private static final int DEEPEST = 16;

  /** Well below what a system accepts as arguments of one program. */
  private static final int LONGEST = 100_000;

  List<String> expand(List<String> words) throws IOException {
    return expand(words, 0);
  }

  private List<String> expand(List<String> words, int depth) throws IOException {
    List<String> result = new ArrayList<>();
    for (String word : words) {
      Path file = word.startsWith("@") ? workingDirectory.resolve(word.substring(1)) : null;
      if (file != null && depth < DEEPEST && Files.isRegularFile(file)) {
        result.addAll(expand(split(Files.readString(file)), depth + 1));
      } else {
        result.add(word);
      }
    }
    return result;
  }

  /** The words, or the name of a file that they were written to because they are too many. */
  static List<String> shortened(List<String> words, Path file) throws IOException {
    if (words.stream().mapToInt(String::length).sum() < LONGEST) {
      return words;
    }
    List<String> quoted =
        words.stream()
            .map(word -> '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
            .toList();
    Files.write(file, quoted);
    return List.of("@" + file);
  }

  static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
        word.append(text.charAt(++i));
        inWord = true;
      } else if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
        inWord = true;
      } else if (Character.isWhitespace(c)) {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
          inWord = false;
        }
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }
}
