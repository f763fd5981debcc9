package dev.perdure.fuzz.validation;

import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.recovery.PoolImage;
import dev.perdure.crash.recovery.PrivatePools;
import dev.perdure.crash.recovery.RecoveryCommand;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.DurableEffect.Recovery;
import dev.perdure.target.Surroundings;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetRun;
import dev.perdure.target.TargetStartException;
import dev.perdure.trace.file.TraceFile;
import dev.perdure.trace.live.PrivateView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Runs recovery after a crash right behind an effect, and looks whether it overwrites the effect.
 */
public final class EffectValidation {
  private final RecoverySetting setting;
  private final RecoveryCommand command;
  private final boolean needsFlushes;
  private final PrivatePools own;
  private int runs;
  private volatile TargetRun running;
  private volatile boolean interrupted;

  public EffectValidation(RecoverySetting setting, RecoveryCommand command, boolean needsFlushes)
      throws IOException {
    this.setting = setting;
    this.command = command;
    this.needsFlushes = needsFlushes;
    this.own =
        new PrivatePools(
            Files.createDirectories(setting.scratch().resolve("validation")), setting.pools());
    Files.createDirectories(setting.outputs());
  }

  /** Ends the recovery that runs: no more is asked. */
  public void interrupt() {
    interrupted = true;
    TargetRun run = running;
    if (run != null) {
      run.interrupt();
      run.interrupt();
    }
  }

  /**
   * What recovery makes of an effect; empty where that cannot be told.
   *
   * @param views how the campaign saw the pools
   */
  public Optional<Recovery> of(
      DurableEffect effect, Path trace, List<PrivateView> views, LongUnaryOperator toNanos)
      throws IOException, TargetStartException, InterruptedException {
    if (effect.flow() == DurableEffect.Flow.FILE || interrupted) {
      return Optional.empty();
    }
    try (Pools pools = pools(trace, views)) {
      Optional<List<PoolImage>> image =
          new EffectMoment(trace, pools, needsFlushes, toNanos).image(effect);
      return image.isEmpty() ? Optional.empty() : recover(effect, image.get());
    }
  }

  private static Pools pools(Path trace, List<PrivateView> views) throws IOException {
    try (TraceFile file = TraceFile.open(trace)) {
      return Pools.of(file.files(), views);
    }
  }

  private Optional<Recovery> recover(DurableEffect effect, List<PoolImage> image)
      throws IOException, TargetStartException, InterruptedException {
    own.put(image);
    List<Path> pm = new ArrayList<>(setting.pools());
    pm.addAll(own.own());
    Path output = setting.outputs().resolve("validation" + ++runs + ".out");
    TargetCommand recovery =
        TargetCommand.of(command.words(), setting.runtime(), setting.scratch())
            .directory(setting.directory())
            .timeout(Duration.ofMillis(command.limitMillis()))
            .pmPaths(pm)
            .surroundings(
                new Surroundings(
                    own.views(),
                    own.places(image),
                    true,
                    Optional.of(output),
                    true,
                    Surroundings.plain().siteTables()))
            .build();
    try (TargetRun run = TargetRun.start(recovery)) {
      running = run;
      if (interrupted) {
        interrupt();
      }
      Overwritten overwritten = new Overwritten(effect.address(), (int) effect.length());
      run.source().forEach(overwritten);
      boolean recovered = run.await().complete() && overwritten.all();
      if (interrupted && !recovered) {
        return Optional.empty();
      }
      return Optional.of(recovered ? Recovery.RECOVERED : Recovery.NOT_RECOVERED);
    } finally {
      running = null;
    }
  }
}
