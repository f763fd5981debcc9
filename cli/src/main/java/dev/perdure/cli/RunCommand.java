package dev.perdure.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Runs an instrumented program and reports its bugs. */
@Command(
    name = "run",
    description = "Run a program, built with 'perdure cc' or as it is, and report its bugs.",
    mixinStandardHelpOptions = true,
    customSynopsis = "perdure run [options] -- PROGRAM ARGS…")
final class RunCommand implements Callable<Integer> {
  @Mixin private ObservationOptions options;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "0..*",
      description = "the program and its arguments, behind --")
  private List<String> command = new ArrayList<>();

  @Override
  public Integer call() {
    options.check();
    if (command.isEmpty()) {
      throw CommandFailure.usage("no program to run: perdure run [options] -- PROGRAM ARGS…");
    }
    return new Observation("run", options, Home.ofLauncher()).of(command);
  }
}
