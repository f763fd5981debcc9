package dev.perdure.cli;

import dev.perdure.detect.Detection;
import dev.perdure.detect.Detector;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.llvm.driver.ProgramVariant;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.Suppression;
import dev.perdure.model.file.FileReason;
import dev.perdure.model.finding.Finding;
import dev.perdure.report.configuration.ConfigurationException;
import dev.perdure.report.configuration.ConfigurationReader;
import dev.perdure.report.finding.FindingList;
import dev.perdure.report.run.Coverage;
import dev.perdure.report.run.Ending;
import dev.perdure.report.run.ExitCode;
import dev.perdure.report.run.FailOn;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.RunStats;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceLines;
import dev.perdure.target.Outcome;
import dev.perdure.target.PoolSnapshot;
import dev.perdure.target.Surroundings;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetRun;
import dev.perdure.target.TargetStartException;
import dev.perdure.target.delay.DelayInjection;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.event.Backlog;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.file.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
  private Surroundings surroundings = Surroundings.plain();
  private final MergedFindings found = new MergedFindings();
  private final Set<String> notices = new LinkedHashSet<>();
  private final Set<String> unfollowed = new LinkedHashSet<>();
  private Path kept;
  private RunStats stats;
  private Coverage coverage = Coverage.NONE;
  private FrontEnd frontEnd;
  private List<RecognisedLock> recognisedLocks = List.of();
  private TargetOutcome outcome;
  private boolean complete = true;
  private boolean observedAnything;

  Observation(String commandName, ObservationOptions options, Home home) {
    this.commandName = commandName;
    this.options = options;
    this.home = home;
    this.stats = new RunStats(0, 0, 0, 0, 0, options.seed);
    this.configuration = configuration(options);
    this.failOn = failOn(options);
    Analysis.detectors(options.detect);
  }

  static FailOn failOn(ObservationOptions options) {
    return FailOn.parse(options.failOn)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "--fail-on "
                        + options.failOn
                        + ": possible, proven, observed, harmful, unrecovered or never is wanted"));
  }

  static Configuration configuration(ObservationOptions options) {
    Configuration configuration = Project.configuration(options.config);
    try {
      List<Suppression> further = new ArrayList<>();
      for (Path file : options.suppress) {
        further.addAll(ConfigurationReader.readSuppressions(file));
      }
      if (options.insideLibraries) {
        Path shipped = Home.ofLauncher().benignInLibraries();
        ConfigurationReader.readSuppressions(shipped).stream()
            .map(Suppression::asShipped)
            .forEach(further::add);
      }
      return configuration.with(further);
    } catch (ConfigurationException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }

  /** Observes, reports, and returns Perdure's exit code. */
  int of(List<String> command) {
    RunReport report = observe(command);
    if (!options.quiet) {
      System.err.println("perdure: trace, findings.json and report are in " + kept);
    }
    options.print(report, System.err);
    if (!observedAnything && report.findings().isEmpty() && !report.target().broken()) {
      throw CommandFailure.usage(
          command.get(0)
              + ": nothing was observed: no program has run that was built with perdure cc"
              + " or could be patched; build it with perdure cc");
    }
    return ExitCode.of(report, failOn);
  }

  /** Observes and writes the run directory. */
  RunReport observe(List<String> command) {
    RunDirectory directory = runDirectory(options);
    kept = Path.of("").toAbsolutePath().relativize(directory.path().toAbsolutePath());
    List<Path> pm = pmPaths();
    frontEnd =
        FrontEnd.choose(
            options.frontend,
            command.get(0),
            configuration,
            options.insideLibraries,
            options.starts() == RegionStart.STATIC);
    try (RunLog log = new RunLog(directory, options.verbose);
        PoolSnapshot pool =
            options.runs > 1 ? PoolSnapshot.take(pm, directory.path().resolve("pool")) : null) {
      log.say(Version.NUMBER + " " + commandName + " " + String.join(" ", command));
      for (int run = 0; run < options.runs; run++) {
        if (run > 0) {
          pool.restore();
        }
        if (!once(command, pm, directory, log)) {
          break;
        }
      }
      frontEnd.describe(log);
      return finish(command, directory);
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
    this.surroundings = surroundings;
    frontEnd =
        FrontEnd.choose(
            options.frontend,
            command.get(0),
            configuration,
            options.insideLibraries,
            options.starts() == RegionStart.STATIC);
    try (RunLog log = new RunLog(directory, options.verbose)) {
      log.say(Version.NUMBER + " " + commandName + " " + String.join(" ", command));
      once(command, pm, directory, log);
      frontEnd.describe(log);
    }
  }

  /** What the detectors found in the run. */
  List<Finding> findings() {
    return found.all();
  }

  /** Whether any program that was built with perdure cc has run. */
  boolean observedAnything() {
    return observedAnything;
  }

  /** The report of a crash test, kept in the run directory. */
  RunReport crashReport(
      List<String> reproduce,
      RunDirectory directory,
      List<Finding> findings,
      List<String> further,
      boolean all)
      throws IOException {
    notices.addAll(further);
    complete &= all;
    return report(findings, ShellWords.join(reproduce), directory);
  }

  RunDirectory runDirectory() {
    return runDirectory(options);
  }

  static RunDirectory runDirectory(ObservationOptions options) {
    try {
      return options.out != null
          ? RunDirectory.at(options.out)
          : RunDirectory.create(Path.of("").toAbsolutePath(), LocalDateTime.now());
    } catch (IOException e) {
      throw CommandFailure.usage(
          (options.out != null ? options.out : Path.of(RunDirectory.PARENT))
              + ": cannot be made ("
              + FileReason.of(e)
              + "); choose another directory with --out",
          e);
    }
  }

  private List<Path> pmPaths() {
    List<Path> paths = new ArrayList<>(options.pm);
    configuration.pmPaths().forEach(p -> paths.add(Path.of(p)));
    return paths;
  }

  /** One run; false when no further one makes sense. */
  private boolean once(List<String> command, List<Path> pm, RunDirectory directory, RunLog log)
      throws IOException {
    Optional<VariantProgram> variant = variant(command);
    TargetCommand.Builder target =
        TargetCommand.of(
                variant.map(v -> v.command(command)).orElse(command),
                home.runtimeLibrary(),
                directory.path())
            .pmPaths(pm)
            .surroundings(surroundings)
            .seed(options.seed)
            .libraryLoads(options.insideLibraries)
            .sample(options.sample());
    frontEnd.plans().ifPresent(target::plans);
    variant.ifPresent(v -> v.environment().forEach(target::environment));
    options.timeout().ifPresent(target::timeout);
    options.duration().ifPresent(target::duration);
    if (options.jsonToStandardOutput()) {
      target.output(TargetCommand.Output.TO_STANDARD_ERROR);
    }
    InterruptHandling interrupts = InterruptHandling.install();
    try (TargetRun run = TargetRun.start(target.build())) {
      interrupts.forwardTo(run::interrupt);
      return drain(command, run, directory, log);
    } catch (TargetStartException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.internal("interrupted", e);
    } finally {
      interrupts.remove();
    }
  }

  private Optional<VariantProgram> variant(List<String> command) {
    boolean labelled = Analysis.detectors(options.detect).contains(Detector.TAINT);
    boolean announcing =
        options.starts() == RegionStart.STATIC && !"binary".equals(options.frontend);
    if (!labelled && !announcing) {
      return Optional.empty();
    }
    Optional<VariantProgram> found =
        VariantProgram.of(
            labelled ? ProgramVariant.Kind.LABELLED : ProgramVariant.Kind.ANNOUNCING,
            command.get(0),
            home,
            configuration);
    if (found.isEmpty() && labelled) {
      notices.add(
          command.get(0)
              + " was not built with perdure cc: its data is not followed, and levels end at observed");
    }
    return found;
  }

  private boolean drain(List<String> command, TargetRun run, RunDirectory directory, RunLog log)
      throws IOException, InterruptedException {
    Detection detection = Analysis.of(options);
    Optional<DelayInjection> delays =
        options
            .delay()
            .map(
                delay ->
                    new DelayInjection(
                        run.recording().schedule(), delay, options.decay(), detection::overlapsOf));
    long events = 0;
    try (TraceWriter trace =
            TraceWriter.create(directory.trace(), run.symbols(), options.maxTrace());
        Backlog backlog = Backlog.of(run.source())) {
      trace.metadata("command", String.join(" ", command));
      trace.metadata("seed", String.valueOf(options.seed));
      trace.metadata("frontend", frontEnd.label());
      trace.metadata("starts", options.starts().label());
      trace.metadata("library-loads", String.valueOf(options.insideLibraries));
      for (EventBatch batch = backlog.next(); batch != null; batch = backlog.next()) {
        if (delays.isPresent()) {
          watch(batch, detection, delays.get());
        } else {
          detection.accept(batch);
        }
        trace.append(batch);
        events += batch.size();
      }
      Outcome ended = run.await();
      trace.metadata("complete", String.valueOf(ended.complete()));
      run.source()
          .ticksPerSecond()
          .ifPresent(t -> trace.metadata("ticks-per-second", String.valueOf(t)));
      trace.finish();
      trace.stopped().ifPresent(notices::add);
      log.say(
          "the target "
              + ended.description()
              + "; "
              + events
              + " events, trace of "
              + trace.bytes()
              + " bytes");
      conclude(command, run, ended, detection, events);
      return ended.cause() == Outcome.Cause.TARGET;
    }
  }

  /** The verdict on a delay is asked for between the events. */
  private static void watch(EventBatch batch, Detection detection, DelayInjection delays) {
    Event event = new Event();
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i, event);
      detection.accept(event);
      delays.see(event);
    }
  }

  /** Words that behaved as locks in the last run. */
  List<RecognisedLock> recognisedLocks() {
    return recognisedLocks;
  }

  private void conclude(
      List<String> command, TargetRun run, Outcome ended, Detection detection, long events) {
    List<Finding> findings =
        detection.finish(
            run.symbols(), ended.complete(), Ticks.toNanos(run.source().ticksPerSecond()));
    found.add(findings);
    recognisedLocks = detection.recognisedLocks();
    complete &= ended.complete();
    unfollowed.addAll(run.unfollowed());
    unfollowed.addAll(frontEnd.unobserved());
    losses(run);
    List<ModuleSites> modules = run.symbols().modules();
    observedAnything |= !modules.isEmpty();
    coverage =
        new Coverage(
            frontEnd.label(),
            modules.size(),
            modules.stream().mapToLong(ModuleSites::count).sum(),
            frontEnd.uncovered(),
            frontEnd.gaps(),
            List.copyOf(unfollowed));
    for (ModuleSites module : modules) {
      if (module.sites().isEmpty()) {
        notices.add(
            module.path()
                + " has changed since it ran, or cannot be read: its places are not known");
      }
    }
    var statistics = detection.statistics();
    stats =
        new RunStats(
            stats.events() + events,
            Math.max(stats.threads(), statistics.threads()),
            Math.max(stats.pmBytes(), statistics.pmBytes()),
            stats.seconds() + run.elapsed().toNanos() / 1e9,
            PeakMemory.ofThisProcess(),
            options.seed);
    if (outcome == null || ended.failed()) {
      outcome = new TargetOutcome(command, ended.exit(), ended.signal(), ending(ended));
    }
  }

  private void losses(TargetRun run) {
    if (run.recording().lost() > 0) {
      notices.add(
          run.recording().lost() + " events could not be recorded for lack of space or rings");
    }
    if (run.recording().stacksFull() > 0) {
      notices.add(
          run.recording().stacksFull()
              + " events have no call stack: the table of stacks was full");
    }
  }

  private static Ending ending(Outcome ended) {
    return switch (ended.cause()) {
      case TARGET -> ended.signal().isPresent() ? Ending.SIGNALLED : Ending.EXITED;
      case TIMEOUT -> Ending.TIMED_OUT;
      case DURATION, INTERRUPT -> Ending.STOPPED;
    };
  }

  private RunReport finish(List<String> command, RunDirectory directory) throws IOException {
    return report(found.all(), reproduce(command), directory);
  }

  private RunReport report(List<Finding> findings, String reproduce, RunDirectory directory)
      throws IOException {
    FindingList list =
        FindingList.of(
            findings,
            configuration.suppressions(),
            SourceLines.fromFiles(List.of(Path.of(""))),
            reproduce);
    List<String> all = new ArrayList<>(notices);
    all.addAll(list.unusedNotices());
    RunReport report =
        new RunReport(
            Version.NUMBER,
            commandName,
            outcome,
            complete,
            coverage,
            stats,
            list.findings(),
            all,
            list.source());
    Saved.write(report, directory, options.json);
    return report;
  }

  private static void addOption(List<String> words, String name, String value) {
    if (value != null) {
      words.addAll(List.of(name, value));
    }
  }

  private String reproduce(List<String> command) {
    List<String> words =
        new ArrayList<>(List.of("perdure", "run", "--seed", String.valueOf(options.seed)));
    options.pm.forEach(p -> words.addAll(List.of("--pm", p.toString())));
    if (!options.model.equals("adr")) {
      words.addAll(List.of("--model", options.model));
    }
    if (options.regions() != RegionExtent.PIFR) {
      words.addAll(List.of("--regions", options.regions));
    }
    if (options.starts() != RegionStart.LOOKBACK) {
      words.addAll(List.of("--starts", options.starts));
    }
    addOption(words, "--sample", options.sample);
    addOption(words, "--delay", options.delay);
    addOption(words, "--decay", options.decay);
    if (!options.detect.isEmpty()) {
      words.addAll(List.of("--detect", String.join(",", options.detect)));
    }
    if (options.runs > 1) {
      words.addAll(List.of("--runs", String.valueOf(options.runs)));
    }
    words.add("--");
    words.addAll(command);
    return ShellWords.join(words);
  }
}
