package dev.perdure.crash;

import dev.perdure.crash.image.CrashImage;
import dev.perdure.crash.image.CrashImages;
import dev.perdure.crash.image.Suspicion;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.point.CommitSets;
import dev.perdure.crash.point.Declarations;
import dev.perdure.crash.point.FailurePoint;
import dev.perdure.crash.point.FailureRun;
import dev.perdure.crash.recovery.ImageCheck;
import dev.perdure.crash.recovery.PoolImage;
import dev.perdure.crash.recovery.RecoveryException;
import dev.perdure.crash.recovery.RecoveryJob;
import dev.perdure.crash.recovery.RecoveryResult;
import dev.perdure.crash.recovery.RecoveryResult.Checked;
import dev.perdure.crash.recovery.RecoveryRunner;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
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
  private final BiConsumer<RecoveryJob, ImageCheck> telling;
  private final Consumer<CrashProgress> progress;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger mapped = new AtomicInteger();
  private List<RecognisedLock> locks = List.of();
  private volatile boolean stopped;
  private volatile int points;
  private volatile int images;
  private int jobs;
  private volatile int all;

  /**
   * @param trace the recorded run
   * @param telling takes each image, and the job that ran on it, that becomes the example of a
   *     finding
   * @param progress is told now and then, on any thread
   */
  public CrashTest(
      Path trace,
      Pools pools,
      CrashOptions options,
      RecoveryRunner runner,
      BiConsumer<RecoveryJob, ImageCheck> telling,
      Consumer<CrashProgress> progress) {
    this.trace = trace;
    this.pools = pools;
    this.options = options;
    this.runner = runner;
    this.telling = telling;
    this.progress = progress;
  }

  /** Words of the run that behave as locks do, beside those that the program declares. */
  public CrashTest withLocks(List<RecognisedLock> recognised) {
    locks = List.copyOf(recognised);
    return this;
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
      locks.forEach(l -> declarations.recognised(l.address(), l.size(), l.free(), l.bits()));
      if (declarations.conflict().isPresent()) {
        throw new CrashTestException(declarations.conflict().get());
      }
      for (int pool : declarations.emptied()) {
        pools.startEmpty(pool);
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
      Submission submission = new Submission(pending, images, suspicion, findings);
      Event event = new Event();
      while (!stopped && file.next(event)) {
        run.play(event);
        submission.take(false);
      }
      if (!stopped) {
        run.end();
        submission.take(true);
        runner.finish();
      }
      if (stopped) {
        runner.close();
      }
      return outcome(run, images, findings);
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

  private void ended(RecoveryResult result, List<Place> failures, CrashFindings findings) {
    for (int i = 0; i < failures.size(); i++) {
      Checked checked = result.checked().get(i);
      if (findings.add(result, checked, failures.get(i))) {
        telling.accept(result.job(), checked.check());
      }
    }
    if (result.mapped()) {
      mapped.incrementAndGet();
    }
    int ended = done.addAndGet(failures.size());
    int pointsDone = Math.max(0, points - (images - ended));
    progress.accept(new CrashProgress(pointsDone, all, runs.incrementAndGet(), findings.size()));
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
    if (runs.get() > 0 && mapped.get() == 0) {
      notices.add("no recovery run has mapped a pool: is the --recover command the right one?");
    }
    return new CrashOutcome(
        all,
        run.candidates(),
        points,
        run.beyondLimit(),
        done.get(),
        runs.get(),
        images.leftOut(),
        !stopped,
        notices);
  }

  /** Makes jobs of the failure points that the run hands out. */
  private final class Submission {
    private final PendingPoints pending;
    private final CrashImages chosen;
    private final Suspicion suspicion;
    private final CrashFindings findings;
    private final ImageGroups groups = new ImageGroups();

    Submission(
        PendingPoints pending, CrashImages chosen, Suspicion suspicion, CrashFindings findings) {
      this.pending = pending;
      this.chosen = chosen;
      this.suspicion = suspicion;
      this.findings = findings;
    }

    /** Takes the points that are there; at the end nothing waits any longer. */
    void take(boolean end) throws InterruptedException, RecoveryException {
      for (FailurePoint point : pending.take()) {
        points = points + 1;
        List<Long> sizes = Arrays.stream(point.sizes()).boxed().toList();
        for (CrashImage image : chosen.of(point)) {
          images = images + 1;
          groups.add(
              new ImageGroups.Content(image.contentHash(), sizes),
              () -> PoolImage.of(pools, point.sizes(), image),
              new ImageCheck(
                  point.index(),
                  image.label(),
                  suspicion.of(point, image),
                  LockWords.notInitial(point, image)),
              point.place());
          submit(groups.next(false));
        }
      }
      boolean more = end;
      while (more && !stopped) {
        more = submit(groups.next(true));
      }
    }

    private boolean submit(Optional<ImageGroups.Group> next)
        throws InterruptedException, RecoveryException {
      if (next.isEmpty() || stopped) {
        return false;
      }
      ImageGroups.Group group = next.get();
      jobs++;
      runner.submit(
          new RecoveryJob(jobs, options.recovery(), group.pools(), group.checks()),
          result -> ended(result, group.failures(), findings));
      return true;
    }
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
