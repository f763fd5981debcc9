package dev.perdure.cli;

import dev.perdure.detect.Detection;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.file.FileReason;
import dev.perdure.report.finding.FindingList;
import dev.perdure.report.format.ReportFormat;
import dev.perdure.report.run.Coverage;
import dev.perdure.report.run.Ending;
import dev.perdure.report.run.ExitCode;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.RunStats;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceLines;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.event.BoundedEvents;
import dev.perdure.trace.file.TraceFile;
import dev.perdure.trace.format.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The detectors of run, on a recorded trace. */
@Command(
    name = "analyze",
    description = "The same detectors on a recorded trace.",
    mixinStandardHelpOptions = true)
final class AnalyzeCommand implements Callable<Integer> {
  @Mixin private ObservationOptions options;

  @Parameters(
      paramLabel = "TRACE",
      description = "the file 'trace' of a run directory, or the directory")
  private Path path;

  @Override
  public Integer call() {
    options.check();
    if (options.sample != null || options.delay != null) {
      throw CommandFailure.usage(
          "--sample and --delay change how a program runs: they go with run and check");
    }
    Configuration configuration = RunSettings.configuration(options);
    var failOn = RunSettings.failOn(options);
    Path file = Files.isDirectory(path) ? path.resolve("trace") : path;
    if (!Files.exists(file)) {
      throw CommandFailure.usage(
          file + ": there is no such file; 'perdure run' leaves a trace in its run directory");
    }
    try (TraceFile trace = TraceFile.open(file)) {
      Detection detection = Analysis.of(options);
      long start = System.nanoTime();
      BoundedEvents events = new BoundedEvents(detection);
      trace.forEach(events);
      RunReport report =
          report(trace, detection, events, (System.nanoTime() - start) / 1e9, file, configuration);
      Saved.toUser(options.json, ReportFormat.JSON.render().apply(report));
      var out = options.jsonToStandardOutput() ? System.err : System.out;
      options.print(report, out);
      return ExitCode.of(report, failOn);
    } catch (TraceFormatException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    } catch (IOException e) {
      throw CommandFailure.usage(file + ": cannot be read (" + FileReason.of(e) + ")", e);
    }
  }

  private RunReport report(
      TraceFile trace,
      Detection detection,
      BoundedEvents events,
      double seconds,
      Path file,
      Configuration configuration) {
    boolean complete =
        trace.complete()
            && events.problem().isEmpty()
            && !"false".equals(trace.metadata().get("complete"));
    var ticks = Ticks.toNanos(Ticks.rate(trace.metadata().get("ticks-per-second")));
    var found =
        new NamedFlushes(configuration.flush()).outside(detection.finish(trace, complete, ticks));
    String reproduce = ShellWords.join(List.of("perdure", "analyze", file.toString()));
    FindingList list =
        FindingList.of(
            found,
            configuration.suppressions(),
            SourceLines.fromFiles(List.of(Path.of(""))),
            reproduce);
    List<String> notices = new ArrayList<>(list.unusedNotices());
    events
        .problem()
        .ifPresent(
            what -> notices.add(file + ": " + what + ": this is the report of what lies before"));
    if (trace.dropped() > 0) {
      notices.add(
          trace.dropped()
              + " events were left out of the trace (--max-trace): this is the report of what it holds");
    } else if (!trace.complete()) {
      notices.add(file + " is cut short: this is the report of what it holds");
    }
    if (options.insideLibraries && "false".equals(trace.metadata().get("library-loads"))) {
      notices.add(
          "loads inside libpmem, libpmem2 and libpmemobj were not recorded, so races with them are not found;"
              + " 'perdure run --inside-libraries' records them");
    }
    if (options.starts() == RegionStart.STATIC
        && !"static".equals(trace.metadata().get("starts"))) {
      notices.add(
          "starts of regions were not recorded, so that each access opens its own;"
              + " 'perdure run --starts static' records them");
    }
    List<String> command = Arrays.asList(trace.metadata().getOrDefault("command", "").split(" "));
    var modules = trace.modules();
    return new RunReport(
        Version.NUMBER,
        "analyze",
        new TargetOutcome(command, OptionalInt.empty(), OptionalInt.empty(), Ending.UNKNOWN),
        complete,
        new Coverage(
            trace.metadata().getOrDefault("frontend", "llvm"),
            modules.size(),
            modules.stream().mapToLong(ModuleSites::count).sum(),
            0,
            List.of(),
            List.of()),
        new RunStats(
            events.events(),
            detection.statistics().threads(),
            detection.statistics().pmBytes(),
            seconds,
            PeakMemory.ofThisProcess(),
            options.seed),
        list.findings(),
        notices,
        list.source());
  }
}
