package dev.perdure.cli;

import dev.perdure.detect.RecognisedLock;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.file.FileReason;
import dev.perdure.model.finding.Finding;
import dev.perdure.report.run.ExitCode;
import dev.perdure.report.run.FailOn;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.report.run.RunReport;
import dev.perdure.target.PoolSnapshot;
import dev.perdure.target.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a target under the detectors, keeps its trace, and makes the report: what run and check have
 * in common.
 */
final class Observation {
  private final String commandName;
  private final ObservationOptions options;
  private final Home home;
  private final Configuration configuration;
  private final FailOn failOn;
  private final ObservedRuns runs;
  private Path kept;

  Observation(String commandName, ObservationOptions options, Home home) {
    this.commandName = commandName;
    this.options = options;
    this.home = home;
    this.configuration = RunSettings.configuration(options);
    this.runs = new ObservedRuns(options.seed, new NamedFlushes(configuration.flush()));
    this.failOn = RunSettings.failOn(options);
    Analysis.detectors(options.detect);
  }

  /** Observes, reports, and returns Perdure's exit code. */
  int of(List<String> command) {
    RunReport report = observe(command);
    if (!options.quiet) {
      System.err.println("perdure: trace, findings.json and report are in " + kept);
    }
    options.print(report, System.err);
    if (!runs.observedAnything() && report.findings().isEmpty() && !report.target().broken()) {
      throw CommandFailure.usage(
          command.get(0)
              + ": nothing was observed: no program has run that was built with perdure cc"
              + " or could be patched; build it with perdure cc");
    }
    return ExitCode.of(report, failOn);
  }

  /** Observes and writes the run directory. */
  RunReport observe(List<String> command) {
    RunDirectory directory = runDirectory();
    kept = Path.of("").toAbsolutePath().relativize(directory.path().toAbsolutePath());
    List<Path> pm = RunSettings.pmPaths(options, configuration);
    TracedTarget target = target(command);
    Surroundings surroundings = Surroundings.plain();
    try (RunLog log = new RunLog(directory, options.verbose);
        PoolSnapshot pool =
            options.runs > 1 ? PoolSnapshot.take(pm, directory.path().resolve("pool")) : null) {
      log.say(Version.NUMBER + " " + commandName + " " + String.join(" ", command));
      for (int run = 0; run < options.runs; run++) {
        if (run > 0) {
          pool.restore();
        }
        if (!target.run(pm, surroundings, directory, log)) {
          break;
        }
      }
      target.frontEnd().describe(log);
      if (!pm.isEmpty() && !runs.touchedPm()) {
        runs.note(NamedPools.untouched(pm));
      }
      return report(runs.findings(), Reproduction.of(options, command), directory);
    } catch (IOException e) {
      throw CommandFailure.usage(
          directory.path() + ": the run cannot be kept there (" + FileReason.of(e) + ")", e);
    }
  }

  /**
   * Observes a run whose pools are private copies, and keeps its trace; {@link #findings} and
   * {@link #crashReport} come after it.
   */
  void preFailure(
      List<String> command, List<Path> pm, Surroundings surroundings, RunDirectory directory)
      throws IOException {
    TracedTarget target = target(command);
    try (RunLog log = new RunLog(directory, options.verbose)) {
      log.say(Version.NUMBER + " " + commandName + " " + String.join(" ", command));
      target.run(pm, surroundings, directory, log);
      target.frontEnd().describe(log);
    }
  }

  private TracedTarget target(List<String> command) {
    return new TracedTarget(command, options, home, configuration, runs);
  }

  /** What the detectors found in the run. */
  List<Finding> findings() {
    return runs.findings();
  }

  /** Words that behaved as locks in the last run. */
  List<RecognisedLock> recognisedLocks() {
    return runs.recognisedLocks();
  }

  /** The report of a crash test, kept in the run directory. */
  RunReport crashReport(
      List<String> reproduce,
      RunDirectory directory,
      List<Finding> findings,
      List<String> further,
      boolean all)
      throws IOException {
    further.forEach(runs::note);
    if (!all) {
      runs.incomplete();
    }
    return report(findings, ShellWords.join(reproduce), directory);
  }

  RunDirectory runDirectory() {
    return RunSettings.runDirectory(options);
  }

  private RunReport report(List<Finding> findings, String reproduce, RunDirectory directory)
      throws IOException {
    RunReport report = runs.report(commandName, findings, configuration.suppressions(), reproduce);
    Saved.write(report, directory, options.json);
    return report;
  }
}
