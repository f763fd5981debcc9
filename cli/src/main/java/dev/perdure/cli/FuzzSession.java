package dev.perdure.cli;

import dev.perdure.crash.recovery.RecoveryCommand;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.fuzz.campaign.Campaign;
import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.fuzz.campaign.FuzzPlan;
import dev.perdure.fuzz.campaign.Fuzzer;
import dev.perdure.fuzz.campaign.Progress;
import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.finding.Finding;
import dev.perdure.report.finding.FindingList;
import dev.perdure.report.run.ExitCode;
import dev.perdure.report.run.FailOn;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.RunStats;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceLines;
import dev.perdure.target.ScratchFolder;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetStartException;
import dev.perdure.trace.definition.ModuleSites;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/** One search, from its inputs to its report. */
final class FuzzSession implements Progress, CampaignRunner.Target {
  private static final Duration CAMPAIGN_LIMIT = Duration.ofSeconds(10);

  private final ObservationOptions options;
  private final FuzzOptions fuzz;
  private final Home home;
  private final List<String> command;
  private final Configuration configuration;
  private final FailOn failOn;
  private final List<Path> pm;
  private final FuzzFindings found = new FuzzFindings();
  private final FuzzStatus status = new FuzzStatus();
  private final Set<String> notices = new LinkedHashSet<>();
  private Optional<LabelledProgram> labelled = Optional.empty();
  private RunDirectory directory;
  private FuzzScreen screen;
  private RunStats stats;
  private dev.perdure.report.run.Coverage coverage = dev.perdure.report.run.Coverage.NONE;
  private int lastExit;
  private volatile boolean interrupted;
  private CampaignRunner runner;
  private Optional<FuzzValidation> validation = Optional.empty();

  FuzzSession(ObservationOptions options, FuzzOptions fuzz, Home home, List<String> command) {
    this.options = options;
    this.fuzz = fuzz;
    this.home = home;
    this.command = command.stream().map(w -> w.replace("{threads}", "" + fuzz.threads)).toList();
    this.configuration = Observation.configuration(options);
    this.failOn = Observation.failOn(options);
    this.stats = new RunStats(0, 0, 0, 0, 0, options.seed);
    this.pm = new ArrayList<>();
    options.pm.forEach(p -> pm.add(p.toAbsolutePath().normalize()));
    configuration.pmPaths().forEach(p -> pm.add(Path.of(p).toAbsolutePath().normalize()));
    if (pm.isEmpty()) {
      throw CommandFailure.usage("no pool: name the pool's file, or its folder, with --pm PATH");
    }
  }

  /** Searches, reports, and returns Perdure's exit code. */
  int run() {
    Optional<Campaign> replayed =
        Optional.ofNullable(fuzz.replay).map(id -> SavedCampaigns.in(outOrLatest()).load(id));
    Path corpus = options.out == null ? Path.of("corpus-of-no-run") : corpus(options.out);
    FuzzInputs inputs =
        replayed.isPresent()
            ? new FuzzInputs(List.of(replayed.get().input()), Optional.empty())
            : FuzzInputs.of(fuzz, command, corpus, options.seed);
    labelled = LabelledProgram.of(command.get(0), home, configuration);
    if (labelled.isEmpty()) {
      notices.add(
          command.get(0)
              + " was not built with perdure cc: only inputs are searched, its data is not followed, and levels end at observed");
    }
    directory = Observation.runDirectory(options);
    screen = new FuzzScreen(status, directory.path().resolve("stats"), onTerminal());
    InterruptHandling interrupts = InterruptHandling.install();
    try (ScratchFolder scratch = ScratchFolder.create(directory.path())) {
      runner = new CampaignRunner(this, detection(), pm, scratch.path());
      validation = validation(scratch.path());
      interrupts.forwardTo(
          () -> {
            interrupted = true;
            runner.interrupt();
          });
      if (replayed.isPresent()) {
        replay(replayed.get());
      } else {
        search(inputs);
      }
      RunReport report = report();
      Reports.print(report, Console.ofProcess(System.err, options.noColor), options.quiet);
      return ExitCode.of(report, failOn);
    } catch (TargetStartException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (IOException | UncheckedIOException e) {
      throw CommandFailure.usage(
          directory.path() + ": the run cannot be kept there (" + e.getMessage() + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.internal("interrupted", e);
    } finally {
      interrupts.remove();
    }
  }

  private Optional<FuzzValidation> validation(Path scratch) throws IOException {
    if (fuzz.recover == null) {
      return Optional.empty();
    }
    RecoveryCommand recovery =
        RecoveryCommand.parse(
            fuzz.recover, pm.stream().map(Path::toString).toList(), CAMPAIGN_LIMIT.toMillis());
    RecoverySetting setting =
        new RecoverySetting(
            pm,
            Path.of("").toAbsolutePath(),
            home.runtimeLibrary(),
            scratch,
            directory.path().resolve("recovery"),
            options.insideLibraries,
            FrontEnd.ofRecovery(options.frontend, recovery.words().get(0))::prepare);
    return Optional.of(new FuzzValidation(setting, recovery, options.domain().cachesAreVolatile()));
  }

  private Path outOrLatest() {
    return options.out != null ? options.out : Path.of(RunDirectory.PARENT, "latest");
  }

  private static Path corpus(Path runDirectory) {
    return runDirectory.resolve("corpus");
  }

  private boolean onTerminal() {
    return !options.quiet && Console.ofProcess(System.err, options.noColor).colour();
  }

  private DetectionOptions detection() {
    Set<Detector> detectors = EnumSet.of(Detector.OBSERVED, Detector.TAINT);
    if (!options.detect.isEmpty()) {
      detectors.addAll(Analysis.detectors(options.detect));
    }
    return new DetectionOptions(
        detectors, options.domain(), !options.noInitRemoval, options.insideLibraries);
  }

  private void search(FuzzInputs inputs)
      throws IOException, TargetStartException, InterruptedException {
    FuzzPlan plan =
        new FuzzPlan(
            inputs.seeds(),
            inputs.mutator(),
            fuzz.strategy(),
            fuzz.writerWait(),
            fuzz.time(),
            labelled.isPresent(),
            options.seed);
    Fuzzer fuzzer = new Fuzzer(plan, runner, this);
    fuzzer.run();
    if (inputs.mutator().isPresent()) {
      Path corpus = Files.createDirectories(corpus(directory.path()));
      List<byte[]> kept = fuzzer.corpus();
      status.corpus(kept.size());
      for (int i = inputs.seeds().size(); i < kept.size(); i++) {
        Files.write(corpus.resolve("input%04d".formatted(i)), kept.get(i));
      }
    }
    screen.show(true);
  }

  private void replay(Campaign campaign)
      throws IOException, TargetStartException, InterruptedException {
    CampaignResult result = runner.run(campaign);
    Coverage total = new Coverage();
    finished(result, total.add(result.branches(), result.pairs()), total, "replay");
    screen.show(true);
  }

  @Override
  public void finished(CampaignResult result, Coverage.Gain gain, Coverage total, String state)
      throws IOException, TargetStartException, InterruptedException {
    List<Finding> findings =
        validation.isPresent() ? validation.get().of(result, runner) : result.findings();
    boolean improved = found.add(result, findings);
    if (improved) {
      SavedCampaigns.in(directory.path()).save(result.campaign());
    }
    status.finished(result, total, state, found.all(), improved);
    count(result);
    screen.show(false);
  }

  private void count(CampaignResult result) {
    stats =
        new RunStats(
            stats.events() + result.events(),
            Math.max(stats.threads(), result.statistics().threads()),
            Math.max(stats.pmBytes(), result.statistics().pmBytes()),
            stats.seconds() + result.seconds(),
            PeakMemory.ofThisProcess(),
            options.seed);
    coverage =
        new dev.perdure.report.run.Coverage(
            "llvm",
            result.modules().size(),
            result.modules().stream().mapToLong(ModuleSites::count).sum(),
            0,
            List.of(),
            List.of());
    lastExit = result.outcome().exit().orElse(lastExit);
  }

  @Override
  public boolean over() {
    return interrupted || fuzz.stopAt().map(found::reached).orElse(false);
  }

  @Override
  public TargetCommand.Builder command(List<String> arguments) {
    List<String> words = labelled.map(l -> l.command(arguments)).orElse(arguments);
    TargetCommand.Builder builder =
        TargetCommand.of(words, home.runtimeLibrary(), directory.path())
            .pmPaths(pmPaths())
            .timeout(options.timeout().orElse(CAMPAIGN_LIMIT));
    labelled.ifPresent(l -> l.environment().forEach(builder::environment));
    return builder;
  }

  private List<Path> pmPaths() {
    List<Path> all = new ArrayList<>(pm);
    all.addAll(runner.own());
    return all;
  }

  @Override
  public List<String> arguments() {
    return command;
  }

  @Override
  public LongUnaryOperator toNanos(OptionalDouble ticksPerSecond) {
    return Ticks.toNanos(ticksPerSecond);
  }

  private RunReport report() throws IOException {
    FindingList list =
        FindingList.of(
            found.all(),
            configuration.suppressions(),
            SourceLines.fromFiles(List.of(Path.of(""))),
            "");
    List<ReportedFinding> reported =
        list.findings().stream()
            .map(
                f ->
                    new ReportedFinding(
                        f.id(), f.finding(), f.suppressed(), f.benign(), reproduce(f)))
            .toList();
    List<String> all = new ArrayList<>(notices);
    long whitelisted =
        reported.stream()
            .filter(f -> f.benign().isPresent() && f.finding().effect().isPresent())
            .count();
    all.add(status.campaigns() + " campaigns; " + found.funnel(whitelisted));
    all.addAll(list.unusedNotices());
    RunReport report =
        new RunReport(
            Version.NUMBER,
            "fuzz",
            TargetOutcome.exited(command, lastExit),
            !interrupted,
            coverage,
            stats,
            reported,
            all,
            list.source());
    Saved.write(report, directory, options.json);
    return report;
  }

  private String reproduce(ReportedFinding finding) {
    List<String> words = new ArrayList<>(List.of("perdure", "fuzz"));
    words.addAll(List.of("--out", directory.path().toString(), "--replay"));
    words.add(found.campaignOf(finding.finding()).map(Campaign::id).orElse("C1"));
    pm.forEach(p -> words.addAll(List.of("--pm", p.toString())));
    words.add("--");
    words.addAll(command);
    return ShellWords.join(words);
  }
}
