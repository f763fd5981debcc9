package dev.perdure.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The words of a command that takes a compiler's arguments beside its own.
 *
 * @param own Perdure's options with their values
 * @param compiler all other words before {@code --}
 * @param program those behind it
 */
record CompilerWords(List<String> own, List<String> compiler, List<String> program) {

  static CompilerWords split(List<String> args, Map<String, OptionSpec> known) {
    int end = args.indexOf("--");
    List<String> words = end < 0 ? args : args.subList(0, end);
    List<String> program = end < 0 ? List.of() : List.copyOf(args.subList(end + 1, args.size()));
    List<String> own = new ArrayList<>();
    List<String> compiler = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      OptionSpec option =
          known.get(word.contains("=") ? word.substring(0, word.indexOf('=')) : word);
      if (option == null || word.equals("-V")) {
        compiler.add(word);
        continue;
      }
      own.add(word);
      if (option.arity().max() > 0 && !word.contains("=") && i + 1 < words.size()) {
        own.add(words.get(++i));
      }
    }
    return new CompilerWords(own, compiler, program);
  }

  /** The sources among the compiler's words, all of which are there; fails if there are none. */
  List<String> existingSources(String ifNone) {
    List<String> sources = compiler.stream().filter(CompilerWords::isSource).toList();
    if (sources.isEmpty()) {
      throw CommandFailure.usage(ifNone);
    }
    for (String source : sources) {
      if (!Files.exists(Path.of(source))) {
        throw CommandFailure.usage(source + ": there is no such file");
      }
    }
    return sources;
  }

  static boolean isCxx(List<String> sources) {
    return sources.stream().anyMatch(s -> !s.endsWith(".c"));
  }

  private static boolean isSource(String word) {
    return !word.startsWith("-") && word.matches(".*\\.(c|cc|cpp|cxx|C)");
  }
}
