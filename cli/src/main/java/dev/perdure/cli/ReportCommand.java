package dev.perdure.cli;

import dev.perdure.report.json.FindingsFormatException;
import dev.perdure.report.json.FindingsJson;
import dev.perdure.report.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the report of a finished run again; runs nothing. */
@Command(
    name = "report",
    description = "Show the report of a finished run.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RUNDIR",
      arity = "0..1",
      description = "the run directory (default: perdure-out/latest)")
  private Path directory = Path.of("perdure-out", "latest");

  @Option(names = "--no-color", description = "no colours, also on a terminal")
  private boolean noColor;

  @Option(
      names = {"--inside-libraries", "--verbose"},
      description = "show frames inside libpmem, libpmem2 and libpmemobj in full")
  private boolean insideLibraries;

  @Override
  public Integer call() {
    Path findings = new RunDirectory(directory).findings();
    if (!Files.isDirectory(directory) || !Files.exists(findings)) {
      throw CommandFailure.usage(
          directory + ": this is no run directory with a findings.json; 'perdure run' makes one");
    }
    try {
      Reports.print(
          FindingsJson.read(findings), Console.ofProcess(System.out, noColor), insideLibraries);
    } catch (FindingsFormatException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
    return 0;
  }
}
