package dev.perdure.cli;

import dev.perdure.report.run.RunDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Injects failures into a run and checks what recovery makes of them. */
@Command(
    name = "crash",
    description = "Inject failures into a program's run, and check its recovery after each.",
    mixinStandardHelpOptions = true,
    customSynopsis = "perdure crash --recover 'CMD' [options] -- PROGRAM ARGS…")
final class CrashCommand implements Callable<Integer> {
  @Mixin private ObservationOptions options;
  @Mixin private CrashOptionList crash;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "0..*",
      description = "the program and its arguments, behind --")
  private List<String> command = new ArrayList<>();

  @Override
  public Integer call() {
    options.check();
    if (crash.replay != null) {
      Path directory = options.out != null ? options.out : Path.of(RunDirectory.PARENT, "latest");
      return new CrashReplay(Home.ofLauncher(), options).of(crash.replay, directory);
    }
    crash.check();
    if (command.isEmpty()) {
      throw CommandFailure.usage(
          "no program to run: perdure crash --recover 'CMD' [options] -- PROGRAM ARGS…");
    }
    return new CrashObservation(options, crash, Home.ofLauncher()).of(command);
  }
}
