package dev.perdure.fuzz.validation;

import dev.perdure.crash.CrashOptions;
import dev.perdure.crash.CrashTest;
import dev.perdure.crash.CrashTestException;
import dev.perdure.crash.image.ImageKind;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.point.PointRules;
import dev.perdure.crash.recovery.LocalRecoveries;
import dev.perdure.crash.recovery.RecoveryCommand;
import dev.perdure.crash.recovery.RecoveryException;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.file.TraceFile;
import dev.perdure.trace.live.PrivateView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether recovery resets the lock words that crashes leave taken: a crash test of a campaign right
 * behind the moments at which words are taken, of which only that is asked. Each place in the
 * program that takes a word is looked at once. Everything written so far is the image: there the
 * word has what its last update wrote, which is the one to be named.
 */
public final class LockValidation {
  /** Of one campaign, so that others get their turn. */
  private static final int MOST_POINTS = 8;

  private final RecoverySetting setting;
  private final RecoveryCommand command;
  private final boolean needsFlushes;
  private final Set<Integer> judged = new HashSet<>();
  private volatile CrashTest running;
  private volatile boolean interrupted;

  public LockValidation(RecoverySetting setting, RecoveryCommand command, boolean needsFlushes) {
    this.setting = setting;
    this.command = command;
    this.needsFlushes = needsFlushes;
  }

  /** Ends the recovery that runs: no more is asked. */
  public void interrupt() {
    interrupted = true;
    CrashTest test = running;
    if (test != null) {
      test.stop();
    }
  }

  /**
   * The words of a campaign that stay taken.
   *
   * @param locks words that behave as locks do
   */
  public List<Finding> of(Path trace, List<PrivateView> views, List<RecognisedLock> locks)
      throws IOException, InterruptedException, RecoveryException, CrashTestException {
    LockTakings takings = takings(trace, locks);
    Set<Long> moments = takings.positions(MOST_POINTS);
    judged.addAll(takings.sites(MOST_POINTS));
    if (moments.isEmpty() || interrupted) {
      return List.of();
    }
    CrashOptions options =
        new CrashOptions(
            PointRules.behind(moments), EnumSet.of(ImageKind.LATEST), 1, needsFlushes, command, 1);
    try (TraceFile file = TraceFile.open(trace);
        Pools pools = Pools.of(file.files(), views);
        LocalRecoveries runner = new LocalRecoveries(setting, 1)) {
      CrashTest test =
          new CrashTest(trace, pools, options, runner, (job, check) -> {}, progress -> {})
              .withLocks(locks);
      running = test;
      if (interrupted) {
        test.stop();
      }
      return test.run().findings().stream()
          .filter(f -> f.kind() == FindingKind.SYNC_INCONSISTENCY)
          .toList();
    } finally {
      running = null;
    }
  }

  private LockTakings takings(Path trace, List<RecognisedLock> locks) throws IOException {
    LockTakings takings = new LockTakings(locks, judged);
    try (TraceFile file = TraceFile.open(trace)) {
      Event event = new Event();
      while (file.next(event)) {
        takings.next(event);
      }
    }
    return takings;
  }
}
