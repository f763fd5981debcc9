package dev.perdure.crash;

import dev.perdure.crash.image.CrashImage;
import dev.perdure.crash.image.CrashImages;
import dev.perdure.crash.image.SuspectRange;
import dev.perdure.crash.image.Suspicion;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.point.CommitSets;
import dev.perdure.crash.point.Declarations;
import dev.perdure.crash.point.FailurePoint;
import dev.perdure.crash.point.FailureRun;
import dev.perdure.crash.recovery.PoolImage;
import dev.perdure.crash.recovery.RecoveryException;
import dev.perdure.crash.recovery.RecoveryJob;
import dev.perdure.crash.recovery.RecoveryResult;
import dev.perdure.crash.recovery.RecoveryRunner;
import dev.perdure.model.finding.Finding;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A whole crash test: plays a recorded run, makes a job of every image of every failure point, and
 * gathers what the recovery runs show.
 */
public final class CrashTest {
  private final Path trace;
  private final Pools pools;
  private final CrashOptions options;
  private final RecoveryRunner runner;
  private final Consumer<RecoveryResult> telling;
  private final Consumer<CrashProgress> progress;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger mapped = new AtomicInteger();
  private volatile boolean stopped;
  private volatile int points;
  private volatile int jobs;
  private volatile int all;

  /**
   * @param trace the recorded run
   * @param telling takes each result that becomes the example of a finding
   * @param progress is told now and then, on any thread
   */
  public CrashTest(
      Path trace,
      Pools pools,
      CrashOptions options,
      RecoveryRunner runner,
      Consumer<RecoveryResult> telling,
      Consumer<CrashProgress> progress) {
    this.trace = trace;
    this.pools = pools;
    this.options = options;
    this.runner = runner;
    this.telling = telling;
    this.progress = progress;
  }

  /** Ends the test early; what is known by then is its outcome. */
  public void stop() {
    stopped = true;
    runner.cancel();
  }

  /** Reads what the program declares; the message of the exception is for the user. */
  private Declarations declarations() throws IOException, CrashTestException {
    try (TraceFile file = TraceFile.open(trace)) {
      Declarations declarations = new Declarations(file, pools);
      file.forEach(declarations);
      if (declarations.conflict().isPresent()) {
        throw new CrashTestException(declarations.conflict().get());
      }
      return declarations;
    }
  }

  /** Runs the test. */
  public CrashOutcome run()
      throws IOException, InterruptedException, RecoveryException, CrashTestException {
    all = countPoints();
    Declarations declarations = declarations();
    try (TraceFile file = TraceFile.open(trace)) {
      CrashImages images = new CrashImages(options.images(), options.mostImages(), options.seed());
      PendingPoints pending = new PendingPoints();
      FailureRun run =
          new FailureRun(
              file, pools, declarations, options.points(), options.needsFlushes(), pending);
      CrashFindings findings = new CrashFindings(file, run.stores());
      Suspicion suspicion =
          new Suspicion(
              run.stores(), new CommitSets(declarations), options.points().insideLibraries());
      LockWords words = new LockWords(declarations);
      Event event = new Event();
      while (!stopped && file.next(event)) {
        run.play(event);
        submit(pending, images, suspicion, words, findings);
      }
      if (!stopped) {
        run.end();
        submit(pending, images, suspicion, words, findings);
        runner.finish();
      }
      if (stopped) {
        runner.close();
      }
      return outcome(run, images, findings);
    }
  }

  private void submit(
      PendingPoints pending,
      CrashImages images,
      Suspicion suspicion,
      LockWords words,
      CrashFindings findings)
      throws InterruptedException, RecoveryException {
    for (FailurePoint point : pending.take()) {
      points = points + 1;
      for (CrashImage image : images.of(point)) {
        if (stopped) {
          return;
        }
        List<PoolImage> content = PoolImage.of(pools, point.sizes(), image);
        List<SuspectRange> suspects = suspicion.of(point, image);
        jobs = jobs + 1;
        RecoveryJob job =
            new RecoveryJob(
                jobs,
                point.index(),
                image.label(),
                options.recovery(),
                content,
                suspects,
                words.notInitial(point, image));
        runner.submit(job, result -> ended(result, point, findings));
      }
    }
  }

  /** Plays the run once without recovering, to know how much there is to do. */
  private int countPoints() throws IOException, CrashTestException {
    Declarations declarations = declarations();
    try (TraceFile file = TraceFile.open(trace)) {
      FailureRun run =
          new FailureRun(
              file, pools, declarations, options.points(), options.needsFlushes(), point -> {});
      Event event = new Event();
      while (!stopped && file.next(event)) {
        run.play(event);
      }
      run.end();
      return run.kept();
    }
  }

  private void ended(RecoveryResult result, FailurePoint point, CrashFindings findings) {
    if (findings.add(result, point.place())) {
      telling.accept(result);
    }
    if (result.mapped()) {
      mapped.incrementAndGet();
    }
    int ended = done.incrementAndGet();
    int pointsDone = Math.max(0, points - (jobs - ended));
    progress.accept(new CrashProgress(pointsDone, all, ended, findings.size()));
  }

  private CrashOutcome outcome(FailureRun run, CrashImages images, CrashFindings findings) {
    List<Finding> all = new ArrayList<>(findings.all());
    all.addAll(run.redundantLogs().findings());
    List<String> notices = new ArrayList<>();
    if (run.beyondLimit() > 0) {
      notices.add(
          run.beyondLimit() + " failure points were left out: raise --max-points to test them");
    }
    if (images.leftOut() > 0) {
      notices.add(
          images.leftOut()
              + " possible images were left out: of each failure point each choice of one line"
              + " was taken while the others had none or all of their stores, then random ones");
    }
    if (done.get() > 0 && mapped.get() == 0) {
      notices.add("no recovery run has mapped a pool: is the --recover command the right one?");
    }
    return new CrashOutcome(
        all,
        run.candidates(),
        points,
        run.beyondLimit(),
        done.get(),
        images.leftOut(),
        !stopped,
        notices);
  }

  /** Points that the run has handed out and that are not submitted yet. */
  private static final class PendingPoints implements Consumer<FailurePoint> {
    private List<FailurePoint> points = new ArrayList<>();

    @Override
    public void accept(FailurePoint point) {
      points.add(point);
    }

    List<FailurePoint> take() {
      if (points.isEmpty()) {
        return List.of();
      }
      List<FailurePoint> taken = points;
      points = new ArrayList<>();
      return taken;
    }
  }
}
