package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;

/** Compiles and runs in one step. Words that are no option of Perdure's go to the compiler. */
@Command(
    name = "check",
    description = "Compile with 'perdure cc' and run, in one step.",
    customSynopsis = "perdure check FILE.c… [options] [clang args] [-- ARGS…]",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Mixin private ObservationOptions options;

  private List<String> compilerArguments = List.of();
  private List<String> programArguments = List.of();

  static int run(List<String> args) {
    CheckCommand check = new CheckCommand();
    CommandLine line = new CommandLine(check);
    List<String> own = new ArrayList<>();
    check.split(args, line.getCommandSpec().optionsMap(), own);
    try {
      line.parseArgs(own.toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw CommandFailure.usage("check: " + e.getMessage());
    }
    if (line.isUsageHelpRequested()) {
      line.usage(System.out);
      return 0;
    }
    try {
      return check.call();
    } catch (IOException e) {
      return Main.failed(
          CommandFailure.internal("check: " + e.getMessage(), e), check.options.verbose);
    }
  }

  /**
   * Perdure's own options go to {@code own}, all other words before {@code --} to the compiler,
   * those behind it to the program.
   */
  void split(List<String> args, java.util.Map<String, OptionSpec> known, List<String> own) {
    int end = args.indexOf("--");
    List<String> words = end < 0 ? args : args.subList(0, end);
    programArguments = end < 0 ? List.of() : List.copyOf(args.subList(end + 1, args.size()));
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
    compilerArguments = compiler;
  }

  List<String> compilerArguments() {
    return compilerArguments;
  }

  List<String> programArguments() {
    return programArguments;
  }

  @Override
  public Integer call() throws IOException {
    options.check();
    List<String> sources = compilerArguments.stream().filter(CheckCommand::isSource).toList();
    if (sources.isEmpty()) {
      throw CommandFailure.usage(
          "no source file to check: perdure check FILE.c… [options] [clang args] [-- ARGS…]");
    }
    for (String source : sources) {
      if (!Files.exists(Path.of(source))) {
        throw CommandFailure.usage(source + ": there is no such file");
      }
    }
    Path folder = Files.createTempDirectory("perdure-check");
    try {
      Path program = folder.resolve(programName(sources.get(0)));
      List<String> arguments = new ArrayList<>(compilerArguments);
      arguments.addAll(List.of("-o", program.toString(), "-pthread"));
      boolean cxx = sources.stream().anyMatch(s -> !s.endsWith(".c"));
      int compiled = CompilerCommand.compile(cxx, arguments);
      if (compiled != 0) {
        throw CommandFailure.usage("check: the program does not compile");
      }
      List<String> command = new ArrayList<>(List.of(program.toString()));
      command.addAll(programArguments);
      return new Observation("check", options, Home.ofLauncher()).of(command);
    } finally {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean isSource(String word) {
    return !word.startsWith("-") && word.matches(".*\\.(c|cc|cpp|cxx|C)");
  }

  private static String programName(String source) {
    String name = Path.of(source).getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }
}
