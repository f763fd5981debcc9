package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Compiles and runs in one step. Words that are no option of Perdure's go to the compiler. */
@Command(
    name = "check",
    description = "Compile with 'perdure cc' and run, in one step.",
    customSynopsis = "perdure check FILE.c… [options] [clang args] [-- ARGS…]",
    mixinStandardHelpOptions = true)
final class CheckCommand {
  @Mixin private ObservationOptions options;

  static int run(List<String> args) {
    CheckCommand check = new CheckCommand();
    CommandLine line = new CommandLine(check);
    CompilerWords words = CompilerWords.split(args, line.getCommandSpec().optionsMap());
    try {
      line.parseArgs(words.own().toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw CommandFailure.usage("check: " + e.getMessage());
    }
    if (line.isUsageHelpRequested()) {
      line.usage(System.out);
      return 0;
    }
    try {
      return check.check(words);
    } catch (IOException e) {
      return Main.failed(
          CommandFailure.internal("check: " + e.getMessage(), e), check.options.verbose);
    }
  }

  private int check(CompilerWords words) throws IOException {
    options.check();
    List<String> sources =
        words.existingSources(
            "no source file to check: perdure check FILE.c… [options] [clang args] [-- ARGS…]");
    Path folder = Files.createTempDirectory("perdure-check");
    try {
      Path program = folder.resolve(programName(sources.get(0)));
      List<String> arguments = new ArrayList<>(words.compiler());
      arguments.addAll(List.of("-o", program.toString(), "-pthread"));
      int compiled = CompilerCommand.compile(CompilerWords.isCxx(sources), arguments);
      if (compiled != 0) {
        throw CommandFailure.usage("check: the program does not compile");
      }
      List<String> command = new ArrayList<>(List.of(program.toString()));
      command.addAll(words.program());
      return new Observation("check", options, Home.ofLauncher()).of(command);
    } finally {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static String programName(String source) {
    String name = Path.of(source).getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }
}
