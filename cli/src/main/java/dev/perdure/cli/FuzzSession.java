package dev.perdure.cli;

import dev.perdure.crash.recovery.RecoveryCommand;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.fuzz.campaign.Campaign;
import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.fuzz.campaign.FuzzPlan;
import dev.perdure.fuzz.campaign.Search;
import dev.perdure.fuzz.campaign.SocketFeeder;
import dev.perdure.fuzz.campaign.Tier;
import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.llvm.driver.ProgramVariant;
import dev.perdure.model.config.Configuration;
import dev.perdure.report.json.FindingsFormatException;
import dev.perdure.report.json.FindingsJson;
import dev.perdure.report.run.ExitCode;
import dev.perdure.report.run.FailOn;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.report.run.RunReport;
import dev.perdure.target.ScratchFolder;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One search, from its inputs to its report. */
final class FuzzSession {
  private static final Duration CAMPAIGN_LIMIT = Duration.ofSeconds(10);
  private static final int MOST_REPLAYS = 20;

  private final ObservationOptions options;
  private final FuzzOptions fuzz;
  private final Home home;
  private final List<String> command;
  private final Configuration configuration;
  private final FailOn failOn;
  private final List<Path> pm;
  private final FuzzFindings found = new FuzzFindings();
  private final List<String> notices = new ArrayList<>();

  FuzzSession(ObservationOptions options, FuzzOptions fuzz, Home home, List<String> command) {
    this.options = options;
    this.fuzz = fuzz;
    this.home = home;
    this.command = command.stream().map(w -> w.replace("{threads}", "" + fuzz.threads)).toList();
    fuzz.checkPorts(command);
    this.configuration = RunSettings.configuration(options);
    this.failOn = RunSettings.failOn(options);
    this.pm = NamedPools.of(options, configuration);
    if (fuzz.recover != null) {
      NamedPools.check(fuzz.recover, pm);
    }
  }

  /** Searches, reports, and returns Perdure's exit code. */
  int run() {
    return fuzz.replay == null ? search() : replay();
  }

  private int search() {
    Path earlier = options.out == null ? Path.of("no-earlier-run") : options.out;
    FuzzInputs inputs = FuzzInputs.of(fuzz, command, earlier.resolve("corpus"), options.seed);
    resume(new RunDirectory(earlier));
    RunDirectory directory = RunSettings.runDirectory(options);
    return within(
        directory,
        SavedCampaigns.in(directory.path()),
        (target, progress, status, scratch, interrupts) -> {
          try (FuzzWorkers workers = workers(target, scratch, inputs)) {
            interrupts.forwardTo(
                () -> {
                  progress.interrupt();
                  workers.interrupt();
                });
            SavedCampaigns saved = SavedCampaigns.in(directory.path());
            SavedInputs corpus = new SavedInputs(directory.path().resolve("corpus"));
            Search search = new Search(plan(inputs, target), progress, saved.lastNumber() + 1);
            workers.run(search);
            if (inputs.mutator().isPresent()) {
              List<byte[]> kept = search.corpus();
              status.corpus(kept.size());
              corpus.save(kept.subList(inputs.seeds().size(), kept.size()));
              new FuzzMinimisation(found, saved, progress)
                  .run(workers.runners().get(0), inputs.mutator().get(), fuzz.minimisation());
            }
          }
        });
  }

  private int replay() {
    SavedCampaigns saved =
        SavedCampaigns.in(
            options.out != null ? options.out : Path.of(RunDirectory.PARENT, "latest"));
    Campaign campaign = saved.load(fuzz.replay);
    FuzzInputs inputs = FuzzInputs.replayed(fuzz, campaign.input());
    RunDirectory directory = saved.replayDirectory(campaign);
    return within(
        directory,
        saved,
        (target, progress, status, scratch, interrupts) -> {
          try (CampaignRunner runner = runner(target, 0, scratch.resolve("fuzzer1"), inputs)) {
            interrupts.forwardTo(
                () -> {
                  progress.interrupt();
                  runner.interrupt();
                });
            Coverage total = new Coverage();
            Set<Object> wanted = shownBy(campaign, saved.runDirectory());
            for (int i = 0;
                i < MOST_REPLAYS && !progress.over() && (i == 0 || !found.has(wanted));
                i++) {
              CampaignResult result = runner.run(campaign);
              total.add(result.branches(), result.pairs());
              progress.finished(result, runner, total, "replay");
            }
          }
        });
  }

  /** What the search said of a campaign that is replayed. */
  private static Set<Object> shownBy(Campaign campaign, Path runDirectory) {
    Path findings = new RunDirectory(runDirectory).findings();
    if (!Files.exists(findings)) {
      return Set.of();
    }
    try {
      return FuzzFindings.shownBy(campaign.id(), FindingsJson.read(findings).findings());
    } catch (FindingsFormatException e) {
      throw CommandFailure.usage("--replay: " + e.getMessage(), e);
    }
  }

  /** What is run between the beginning and the report. */
  private interface Body {
    void run(
        FuzzTarget target,
        FuzzProgress progress,
        FuzzStatus status,
        Path scratch,
        InterruptHandling interrupts)
        throws IOException, TargetStartException, InterruptedException;
  }

  private int within(RunDirectory directory, SavedCampaigns saved, Body body) {
    FuzzTarget target = target(directory.path());
    FuzzStatus status = new FuzzStatus();
    FuzzScreen screen = new FuzzScreen(status, directory.path(), onTerminal());
    InterruptHandling interrupts = InterruptHandling.install();
    try (ScratchFolder scratch = ScratchFolder.create(directory.path())) {
      FuzzProgress progress =
          new FuzzProgress(
              found,
              status,
              screen,
              saved,
              validation(scratch.path(), directory),
              fuzz.stopAt(),
              options.seed);
      body.run(target, progress, status, scratch.path(), interrupts);
      screen.show(true);
      RunReport report =
          new FuzzReport(command, pm, fuzz.forReplay(), saved.runDirectory(), configuration)
              .of(found, progress, status, notices);
      Saved.write(report, directory, options.json);
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

  /** Goes on from what an earlier search of the same program left in the directory. */
  private void resume(RunDirectory earlier) {
    if (!Files.exists(earlier.findings())) {
      return;
    }
    try {
      RunReport report = FindingsJson.read(earlier.findings());
      if (report.command().equals("fuzz") && report.target().command().equals(command)) {
        found.resume(report.findings());
        notices.add("goes on from the search that " + earlier.path() + " has of this program");
      }
    } catch (FindingsFormatException e) {
      throw CommandFailure.usage(
          e.getMessage() + "; name another directory with --out to begin anew", e);
    }
  }

  private FuzzTarget target(Path directory) {
    Optional<VariantProgram> labelled =
        VariantProgram.of(ProgramVariant.Kind.LABELLED, command.get(0), home, configuration);
    if (labelled.isEmpty()) {
      notices.add(
          command.get(0)
              + " was not built with perdure cc: only inputs are searched, its data is not followed, and levels end at observed");
    }
    return new FuzzTarget(
        command,
        labelled,
        FrontEnd.choose(
            labelled.isPresent() ? "llvm" : options.frontend,
            command.get(0),
            configuration,
            options.insideLibraries),
        home.runtimeLibrary(),
        directory,
        pm,
        options.timeout().orElse(CAMPAIGN_LIMIT));
  }

  private FuzzWorkers workers(FuzzTarget target, Path scratch, FuzzInputs inputs)
      throws IOException {
    List<CampaignRunner> runners = new ArrayList<>();
    for (int i = 0; i < fuzz.workers; i++) {
      runners.add(runner(target, i, scratch.resolve("fuzzer" + (i + 1)), inputs));
    }
    return new FuzzWorkers(runners);
  }

  private CampaignRunner runner(FuzzTarget target, int worker, Path folder, FuzzInputs inputs)
      throws IOException {
    Optional<InetSocketAddress> server = fuzz.socket(worker);
    Optional<SocketFeeder> feeder =
        server.map(s -> new SocketFeeder(s, fuzz.threads, inputs.mutator().orElseThrow()::parts));
    FuzzTarget own =
        server.map(s -> target.replacing(FuzzOptions.PORT, "" + s.getPort())).orElse(target);
    return new CampaignRunner(own, detection(), pm, folder, feeder);
  }

  private FuzzPlan plan(FuzzInputs inputs, FuzzTarget target) {
    Set<Tier> tiers = EnumSet.copyOf(fuzz.tiers());
    if (target.labelled().isEmpty()) {
      tiers.remove(Tier.INTERLEAVING);
    }
    return new FuzzPlan(
        inputs.seeds(),
        inputs.mutator(),
        fuzz.strategy(),
        fuzz.writerWait(),
        fuzz.time(),
        tiers,
        options.seed);
  }

  private Optional<FuzzValidation> validation(Path scratch, RunDirectory directory)
      throws IOException {
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
            FrontEnd.ofRecovery(
                    options.frontend,
                    recovery.words().get(0),
                    configuration,
                    options.insideLibraries)
                ::prepare);
    return Optional.of(new FuzzValidation(setting, recovery, options.domain().cachesAreVolatile()));
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
}
