package dev.perdure.cli;

import dev.perdure.llvm.driver.CompilerDriver;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.llvm.driver.Treatment;
import dev.perdure.model.config.Configuration;
import dev.perdure.robust.FixMode;
import dev.perdure.robust.FixOptions;
import dev.perdure.robust.RobustnessPass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The stand-ins for clang and clang++. */
final class CompilerCommand {
  private static final String FIX_HELP =
      "  --fix[=base|opt|flit]  insert the flushes and fences that the program lacks, as 'perdure fix'";
  private static final String STRIP_HELP =
      "  --strip                with --fix: take the program's own flushes and store fences out first";
  private static final String STRIP = "--strip";

  private CompilerCommand() {}

  /** As {@code CC}. */
  @Command(
      name = "cc",
      description =
          "Stand-in for clang: builds a program that can be observed (also bin/perdure-cc, for CC=).",
      customSynopsis = "perdure cc ARGS…",
      footer = {FIX_HELP, STRIP_HELP})
  static final class C implements Callable<Integer> {
    @Parameters(paramLabel = "ARGS", description = "what clang takes", hidden = true)
    private List<String> args = new ArrayList<>();

    @Override
    public Integer call() {
      return compile(false, args);
    }
  }

  /** As {@code CXX}. */
  @Command(
      name = "c++",
      description = "Stand-in for clang++ (also bin/perdure-c++, for CXX=).",
      customSynopsis = "perdure c++ ARGS…",
      footer = {FIX_HELP, STRIP_HELP})
  static final class Cxx implements Callable<Integer> {
    @Parameters(paramLabel = "ARGS", description = "what clang++ takes", hidden = true)
    private List<String> args = new ArrayList<>();

    @Override
    public Integer call() {
      return compile(true, args);
    }
  }

  static int compile(boolean cxx, List<String> args) {
    Configuration configuration = configuration();
    List<String> words = new ArrayList<>(args);
    Treatment treatment = treatment(words, configuration);
    try {
      return new CompilerDriver(
              DriverEnvironment.ofProcess(Home.ofLauncher().path(), configuration))
          .run(cxx ? Mode.CXX : Mode.C, words, treatment);
    } catch (IOException e) {
      throw CommandFailure.usage((cxx ? "c++: " : "cc: ") + e.getMessage(), e);
    }
  }

  /** Takes {@code --fix} and its {@code --strip} out of the words: they are not for clang. */
  private static Treatment treatment(List<String> words, Configuration configuration) {
    Optional<String> fix =
        words.stream().filter(w -> w.equals("--fix") || w.startsWith("--fix=")).findFirst();
    if (fix.isEmpty()) {
      if (words.contains(STRIP)) {
        throw CommandFailure.usage("--strip belongs to --fix: perdure cc --fix --strip …");
      }
      return Treatment.OBSERVED;
    }
    words.removeIf(w -> w.equals("--fix") || w.startsWith("--fix="));
    boolean strip = words.removeIf(STRIP::equals);
    String name = fix.get().contains("=") ? fix.get().substring("--fix=".length()) : "opt";
    FixMode mode =
        FixMode.byLabel(name)
            .orElseThrow(
                () -> CommandFailure.usage("--fix=" + name + ": the modes are base, opt and flit"));
    RobustnessPass pass =
        new RobustnessPass(
            configuration,
            new FixOptions(mode, strip, true, FixCommand.machineInstruction()),
            findings -> FixCommand.accepted(findings, configuration));
    return new Treatment(Optional.of(pass), Treatment.Product.OBSERVED);
  }

  /** A build that changes directories names its configuration in the environment. */
  private static Configuration configuration() {
    String named = System.getenv("PERDURE_CONFIG");
    return Project.configuration(named == null ? null : Path.of(named));
  }
}
