package dev.perdure.fuzz.campaign;

import dev.perdure.crash.recovery.PrivatePools;
import dev.perdure.detect.Detection;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.fuzz.area.AreaLayout;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.coverage.AliasPairs;
import dev.perdure.fuzz.failure.Standstill;
import dev.perdure.fuzz.failure.TargetFailure;
import dev.perdure.fuzz.interleaving.Rechecks;
import dev.perdure.fuzz.interleaving.SharedAccesses;
import dev.perdure.fuzz.interleaving.Sharing;
import dev.perdure.model.finding.Finding;
import dev.perdure.target.KeptRecording;
import dev.perdure.target.Outcome;
import dev.perdure.target.SiteTables;
import dev.perdure.target.Surroundings;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetRun;
import dev.perdure.target.TargetStartException;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.file.TraceWriter;
import dev.perdure.trace.live.PrivateView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;

/** Runs campaigns one after the other, each from the same state of the pool. */
public final class CampaignRunner implements AutoCloseable {
  /** Stands in the arguments for the path of the input. */
  public static final String INPUT = "@@";

  private static final long MOST_TRACE = 1L << 30;

  private final Target target;
  private final DetectionOptions options;
  private final PrivatePools pools;
  private final Path folder;
  private final Optional<SocketFeeder> feeder;
  private final KeptRecording recording;
  private final SiteTables siteTables = new SiteTables();
  private final AtomicReference<TargetRun> running = new AtomicReference<>();

  /** What to run. */
  public interface Target {
    /**
     * How to start the program with those arguments.
     *
     * @param own the files of PM that it gets to see in the place of the user's
     */
    TargetCommand.Builder command(List<String> arguments, List<Path> own);

    /** The program and its arguments, with {@link #INPUT} where the input's path goes. */
    List<String> arguments();

    /** From the recording's clock to nanoseconds. */
    LongUnaryOperator toNanos(OptionalDouble ticksPerSecond);
  }

  /**
   * @param paths the user's pools, which campaigns see copies of
   * @param folder for the files of the campaign that runs
   * @param feeder sends the inputs, where the target is a server
   */
  public CampaignRunner(
      Target target,
      DetectionOptions options,
      List<Path> paths,
      Path folder,
      Optional<SocketFeeder> feeder)
      throws IOException {
    this.feeder = feeder;
    this.target = target;
    this.options = options;
    this.pools = new PrivatePools(folder, paths);
    this.folder = Files.createDirectories(folder);
    this.recording = new KeptRecording(folder);
  }

  /** The trace of the campaign that ran last. */
  public Path trace() {
    return folder.resolve("trace");
  }

  /** How campaigns see the pools. */
  public List<PrivateView> views() {
    return pools.views();
  }

  /** Ends the campaign that runs. */
  public void interrupt() {
    TargetRun run = running.get();
    if (run != null) {
      run.interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    recording.close();
  }

  public CampaignResult run(Campaign campaign)
      throws IOException, TargetStartException, InterruptedException {
    pools.copyOriginals();
    Path input = Files.write(folder.resolve("input"), campaign.input());
    ExplorationArea area =
        ExplorationArea.create(folder.resolve("area"), campaign.schedule(), feeder.isPresent());
    List<String> words = new ArrayList<>();
    target.arguments().forEach(w -> words.add(w.replace(INPUT, input.toString())));
    TargetCommand.Builder command = target.command(words, pools.own());
    command.environment(AreaLayout.ENV_EXPLORATION, area.path().toString());
    command.seed(campaign.schedule().seed()).kept(recording);
    command.standstill(new Standstill(area, System::nanoTime));
    command.surroundings(
        new Surroundings(
            pools.views(),
            List.of(),
            true,
            Optional.of(folder.resolve("output")),
            true,
            siteTables));
    try (TargetRun run = TargetRun.start(command.build())) {
      running.set(run);
      Optional<Thread> feeding = feeder.map(f -> feed(f, campaign.input(), run));
      CampaignResult result = drain(campaign, area, run);
      if (feeding.isPresent()) {
        feeding.get().join();
      }
      return result;
    } finally {
      running.set(null);
    }
  }

  /** A server is asked to end when everything is said. */
  private static Thread feed(SocketFeeder feeder, byte[] input, TargetRun run) {
    Thread thread =
        new Thread(
            () -> {
              try {
                feeder.feed(input, run::ended);
                run.finish();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "feeder");
    thread.start();
    return thread;
  }

  private CampaignResult drain(Campaign campaign, ExplorationArea area, TargetRun run)
      throws IOException, InterruptedException {
    Detection detection = new Detection(options);
    SharedAccesses shared = new SharedAccesses();
    Rechecks rechecks = new Rechecks();
    AliasPairs pairs = new AliasPairs();
    long events = 0;
    Event event = new Event();
    Outcome outcome;
    try (TraceWriter trace = TraceWriter.create(trace(), run.symbols(), MOST_TRACE)) {
      while (run.source().next(event)) {
        detection.accept(event);
        shared.accept(event);
        rechecks.accept(event);
        pairs.accept(event);
        trace.append(event);
        events++;
      }
      outcome = run.await();
      trace.finish();
    }
    LongUnaryOperator toNanos = target.toNanos(run.source().ticksPerSecond());
    List<RecognisedLock> locks = detection.recognisedLocks();
    List<Finding> findings = detection.finish(run.symbols(), outcome.complete(), toNanos);
    return new CampaignResult(
        campaign,
        findings,
        TargetFailure.of(outcome, area.failedIn(), trace(), run.symbols()),
        area.branches(),
        pairs.pairs(),
        new Sharing(shared.entries(), shared.met(), rechecks.overtakable(), rechecks.overtaken()),
        locks,
        area,
        outcome,
        detection.statistics(),
        run.symbols().modules(),
        toNanos,
        events,
        run.elapsed().toNanos() / 1e9);
  }
}
