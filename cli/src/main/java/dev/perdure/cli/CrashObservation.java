package dev.perdure.cli;

import dev.perdure.crash.CrashOptions;
import dev.perdure.crash.CrashOutcome;
import dev.perdure.crash.CrashTest;
import dev.perdure.crash.CrashTestException;
import dev.perdure.crash.image.ImageKind;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.point.PointRules;
import dev.perdure.crash.recovery.ImageCheck;
import dev.perdure.crash.recovery.LocalRecoveries;
import dev.perdure.crash.recovery.PrivatePools;
import dev.perdure.crash.recovery.RecoveryCommand;
import dev.perdure.crash.recovery.RecoveryException;
import dev.perdure.crash.recovery.RecoveryJob;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.file.FileReason;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.report.run.ExitCode;
import dev.perdure.report.run.FailOn;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.report.run.RunReport;
import dev.perdure.target.ScratchFolder;
import dev.perdure.target.Surroundings;
import dev.perdure.target.TargetStartException;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A crash test from the pre-failure run to the report. */
final class CrashObservation {
  private static final Set<FindingKind> OF_THE_RUN =
      Set.of(FindingKind.REDUNDANT_FLUSH, FindingKind.REDUNDANT_FENCE);

  private final ObservationOptions options;
  private final CrashOptionList crash;
  private final Home home;
  private final Configuration configuration;
  private final FailOn failOn;

  CrashObservation(ObservationOptions options, CrashOptionList crash, Home home) {
    this.options = options;
    this.crash = crash;
    this.home = home;
    this.configuration = RunSettings.configuration(options);
    this.failOn = RunSettings.failOn(options);
  }

  /** Tests, reports, and returns Perdure's exit code. */
  int of(List<String> command) {
    List<Path> pools = NamedPools.of(options, configuration);
    NamedPools.check(crash.recover, pools);
    Observation observation = new Observation("crash", options, home);
    RunDirectory directory = observation.runDirectory();
    InterruptHandling interrupts = InterruptHandling.install();
    try (ScratchFolder scratch = ScratchFolder.create(directory.path())) {
      PrivatePools own = new PrivatePools(scratch.path(), pools);
      own.copyOriginals();
      observation.preFailure(command, pmPaths(pools, own), surroundings(own), directory);
      return report(
          observation,
          command,
          directory,
          test(directory, scratch.path(), own, pools, observation.recognisedLocks(), interrupts));
    } catch (TargetStartException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (IOException e) {
      throw CommandFailure.usage(
          directory.path() + ": the crash test cannot be kept there (" + FileReason.of(e) + ")", e);
    } finally {
      interrupts.remove();
    }
  }

  private static List<Path> pmPaths(List<Path> pools, PrivatePools own) {
    List<Path> all = new ArrayList<>(pools);
    all.addAll(own.own());
    return all;
  }

  private static Surroundings surroundings(PrivatePools own) {
    Surroundings plain = Surroundings.plain();
    return new Surroundings(
        own.views(), List.of(), true, Optional.empty(), false, plain.siteTables());
  }

  private CrashOutcome test(
      RunDirectory directory,
      Path scratch,
      PrivatePools own,
      List<Path> paths,
      List<RecognisedLock> locks,
      InterruptHandling interrupts)
      throws IOException {
    CrashOptions crashOptions = crashOptions(paths);
    FrontEnd frontEnd =
        FrontEnd.ofRecovery(
            options.frontend,
            crashOptions.recovery().words().get(0),
            configuration,
            options.insideLibraries);
    RecoverySetting setting =
        new RecoverySetting(
            paths,
            Path.of("").toAbsolutePath(),
            home.runtimeLibrary(),
            scratch,
            directory.path().resolve("recovery"),
            options.insideLibraries,
            frontEnd::prepare);
    try (Pools pools = poolsOf(directory, own);
        LocalRecoveries runner = new LocalRecoveries(setting, crash.jobs);
        CrashProgressLine progress =
            new CrashProgressLine(System.err, System.console() != null && !options.quiet)) {
      CrashTest test =
          new CrashTest(
              directory.trace(),
              pools,
              crashOptions,
              runner,
              (job, check) -> keep(job, check, directory),
              progress);
      test.withLocks(locks);
      interrupts.forwardTo(test::stop);
      return test.run();
    } catch (RecoveryException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (CrashTestException e) {
      throw CommandFailure.usage(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.internal("interrupted", e);
    }
  }

  private static void keep(RecoveryJob job, ImageCheck check, RunDirectory directory) {
    try {
      CrashReplay.archive(directory).keep(job, check);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Pools poolsOf(RunDirectory directory, PrivatePools own) throws IOException {
    try (TraceFile trace = TraceFile.open(directory.trace())) {
      for (PmFile file : trace.files()) {
        if (!own.holds(file.path())) {
          throw CommandFailure.usage(
              file.path()
                  + ": the program maps this file as persistent memory, and it is not named: add"
                  + " --pm "
                  + file.path()
                  + " (nothing was stored in it)");
        }
      }
      return Pools.of(trace.files(), own.views());
    }
  }

  private CrashOptions crashOptions(List<Path> pools) {
    return new CrashOptions(
        new PointRules(
            crash.points.equals("stores"),
            options.insideLibraries,
            crash.maxPoints,
            crash.kinds().contains(ImageKind.ALL)),
        crash.kinds(),
        crash.maxImages,
        options.domain().cachesAreVolatile(),
        RecoveryCommand.parse(
            crash.recover, pools.stream().map(Path::toString).toList(), crash.limitMillis(options)),
        options.seed);
  }

  private int report(
      Observation observation, List<String> command, RunDirectory directory, CrashOutcome outcome)
      throws IOException {
    List<Finding> findings = new ArrayList<>(outcome.findings());
    boolean asked = !options.detect.isEmpty();
    observation.findings().stream()
        .filter(f -> asked || OF_THE_RUN.contains(f.kind()))
        .forEach(findings::add);
    RunReport report =
        observation.crashReport(
            reproduce(command), directory, findings, outcome.notices(), outcome.complete());
    if (!options.quiet) {
      System.err.println("perdure: " + summary(outcome));
      System.err.println(
          "perdure: trace, findings.json, report and outputs are in "
              + Path.of("").toAbsolutePath().relativize(directory.path().toAbsolutePath()));
    }
    Reports.print(report, Console.ofProcess(System.err, options.noColor), options.quiet);
    return ExitCode.of(report, failOn);
  }

  private List<String> reproduce(List<String> command) {
    List<String> words = new ArrayList<>(List.of("perdure", "crash"));
    words.addAll(List.of("--seed", String.valueOf(options.seed), "--recover", crash.recover));
    options.pm.forEach(p -> words.addAll(List.of("--pm", p.toString())));
    words.addAll(List.of("--images", String.join(",", crash.images)));
    if (!crash.points.equals("ordering")) {
      words.addAll(List.of("--points", crash.points));
    }
    if (!options.model.equals("adr")) {
      words.addAll(List.of("--model", options.model));
    }
    if (options.insideLibraries) {
      words.add("--inside-libraries");
    }
    words.add("--");
    words.addAll(command);
    return words;
  }

  private static String summary(CrashOutcome outcome) {
    return outcome.candidates()
        + " failure points, "
        + outcome.points()
        + " after merging; "
        + outcome.images()
        + " images; "
        + outcome.runs()
        + " recovery runs";
  }
}
