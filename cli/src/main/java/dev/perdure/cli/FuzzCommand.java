package dev.perdure.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Searches inputs and interleavings for persistency races and what becomes of them. */
@Command(
    name = "fuzz",
    description = "Search for inputs and interleavings under which unpersisted data is acted upon.",
    mixinStandardHelpOptions = true,
    customSynopsis = "perdure fuzz [options] -- PROGRAM ARGS…")
final class FuzzCommand implements Callable<Integer> {
  @Mixin private ObservationOptions options;
  @Mixin private FuzzOptions fuzz;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "0..*",
      description = "the program and its arguments, behind --; @@ is the path of the input")
  private List<String> command = new ArrayList<>();

  @Override
  public Integer call() {
    options.check();
    fuzz.check();
    if (command.isEmpty()) {
      throw CommandFailure.usage("no program to fuzz: perdure fuzz [options] -- PROGRAM ARGS…");
    }
    return new FuzzSession(options, fuzz, Home.ofLauncher(), command).run();
  }
}
