package dev.perdure.fuzz.validation;

import dev.perdure.crash.CrashOptions;
import dev.perdure.crash.CrashTest;
import dev.perdure.crash.CrashTestException;
import dev.perdure.crash.image.ImageKind;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.point.Declarations;
import dev.perdure.crash.point.PointRules;
import dev.perdure.crash.recovery.LocalRecoveries;
import dev.perdure.crash.recovery.RecoveryCommand;
import dev.perdure.crash.recovery.RecoveryException;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.trace.file.TraceFile;
import dev.perdure.trace.live.PrivateView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/**
 * Whether recovery resets the lock words that crashes leave taken: a crash test of one campaign, of
 * which only that is asked. Everything written so far is the image: there the word has what its
 * last update wrote, which is the one to be named.
 */
public final class LockValidation {
  private static final int MOST_POINTS = 24;

  private final RecoverySetting setting;
  private final RecoveryCommand command;
  private final boolean needsFlushes;

  public LockValidation(RecoverySetting setting, RecoveryCommand command, boolean needsFlushes) {
    this.setting = setting;
    this.command = command;
    this.needsFlushes = needsFlushes;
  }

  /**
   * Whether a campaign has lock words in its pools at all.
   *
   * @param locks words that behave as locks do
   */
  public boolean applies(Path trace, List<PrivateView> views, List<RecognisedLock> locks)
      throws IOException {
    try (TraceFile file = TraceFile.open(trace);
        Pools pools = Pools.of(file.files(), views)) {
      Declarations declarations = new Declarations(file, pools);
      file.forEach(declarations);
      locks.forEach(l -> declarations.recognised(l.address(), l.size(), l.free()));
      return !declarations.syncWords().isEmpty();
    }
  }

  /** The words that stay taken. */
  public List<Finding> of(Path trace, List<PrivateView> views, List<RecognisedLock> locks)
      throws IOException, InterruptedException, RecoveryException, CrashTestException {
    CrashOptions options =
        new CrashOptions(
            new PointRules(false, setting.insideLibraries(), MOST_POINTS),
            EnumSet.of(ImageKind.LATEST),
            1,
            needsFlushes,
            command,
            1);
    try (TraceFile file = TraceFile.open(trace);
        Pools pools = Pools.of(file.files(), views);
        LocalRecoveries runner = new LocalRecoveries(setting, 1)) {
      CrashTest test =
          new CrashTest(trace, pools, options, runner, (job, check) -> {}, progress -> {})
              .withLocks(locks);
      return test.run().findings().stream()
          .filter(f -> f.kind() == FindingKind.SYNC_INCONSISTENCY)
          .toList();
    }
  }
}
