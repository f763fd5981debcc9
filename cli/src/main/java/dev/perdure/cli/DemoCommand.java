package dev.perdure.cli;

import dev.perdure.report.run.RunDirectory;
import dev.perdure.report.run.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The whole tour on the bundled example: compile, run, report. */
@Command(
    name = "demo",
    description = "The whole tour on a bundled example, from compiling to the report.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  @Option(names = "--no-color", description = "no colours, also on a terminal")
  private boolean noColor;

  @Override
  public Integer call() throws IOException {
    Home home = Home.ofLauncher();
    Path source = home.demoSource();
    Path folder = folder();
    Path program = folder.resolve("inventory");
    Path pool = folder.resolve("inventory.pool");
    Files.deleteIfExists(pool);
    say("1. Compile a small persistent inventory, as with any compiler:");
    say("     perdure cc -g -O1 -pthread " + source + " -o " + program);
    int compiled =
        CompilerCommand.compile(
            false, List.of("-g", "-O1", "-pthread", source.toString(), "-o", program.toString()));
    if (compiled != 0) {
      throw CommandFailure.internal("the example does not compile", null);
    }
    say("2. Run it. Four threads book deliveries and orders, and every access is locked:");
    say("     perdure run --pm " + pool + " -- " + program + " " + pool);
    ObservationOptions options = new ObservationOptions();
    options.pm = List.of(pool);
    options.out = folder.resolve("run");
    options.check();
    RunReport report =
        new Observation("run", options, home).observe(List.of(program.toString(), pool.toString()));
    say("3. What Perdure has to say (kept in " + options.out + "):");
    say("");
    Reports.print(report, Console.ofProcess(System.out, noColor), false);
    if (report.shown().isEmpty()) {
      throw CommandFailure.internal("the example's bugs were not found", null);
    }
    return 0;
  }

  /**
   * Beside the runs of the user, so that the report's commands can be tried; elsewhere if that
   * cannot be written.
   */
  private static Path folder() throws IOException {
    try {
      Path folder = Path.of(RunDirectory.PARENT, "demo");
      Files.createDirectories(folder);
      return folder;
    } catch (IOException e) {
      return Files.createTempDirectory("perdure-demo");
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
