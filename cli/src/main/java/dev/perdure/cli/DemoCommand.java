package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
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
    Path folder = Files.createTempDirectory("perdure-demo");
    try {
      Path program = folder.resolve("inventory");
      Path pool = folder.resolve("inventory.pool");
      say("1. compile a small persistent inventory, as any compiler would:");
      say("     perdure cc -g -O1 -pthread " + home.path().relativize(source) + " -o inventory");
      int compiled =
          CompilerCommand.compile(false, List.of("-g", "-O1", "-pthread", source.toString(), "-o", program.toString()));
      if (compiled != 0) {
        throw CommandFailure.internal("the example does not compile", null);
      }
      say("2. run it; four threads book deliveries and orders, and every access is locked:");
      say("     perdure run --pm inventory.pool -- ./inventory inventory.pool");
      ObservationOptions options = new ObservationOptions();
      options.pm = List.of(pool);
      options.out = folder.resolve("run");
      options.noColor = noColor;
      options.check();
      Observation observation = new Observation("run", options, home);
      var report = observation.observe(List.of(program.toString(), pool.toString()));
      say("3. what Perdure has to say:");
      say("");
      Reports.print(report, Console.ofProcess(System.out, noColor), false);
      if (report.shown().isEmpty()) {
        throw CommandFailure.internal("the example's bugs were not found", null);
      }
      return 0;
    } finally {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
