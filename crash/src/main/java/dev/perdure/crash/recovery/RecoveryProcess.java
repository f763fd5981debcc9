package dev.perdure.crash.recovery;

import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.point.SyncWord;
import dev.perdure.crash.recovery.RecoveryResult.Checked;
import dev.perdure.crash.recovery.RecoveryResult.End;
import dev.perdure.target.KeptRecording;
import dev.perdure.target.Outcome;
import dev.perdure.target.SiteTables;
import dev.perdure.target.Surroundings;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetRun;
import dev.perdure.target.TargetStartException;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs one recovery after the other on private copies of the pools. */
public final class RecoveryProcess implements AutoCloseable {
  private final RecoverySetting setting;
  private final Path folder;
  private final PrivatePools pools;
  private final SiteTables siteTables;
  private final KeptRecording recording;
  private volatile TargetRun running;
  private volatile boolean interrupted;

  /** Makes its copies in a folder of its own. */
  public RecoveryProcess(RecoverySetting setting, Path folder) throws IOException {
    this(setting, folder, new SiteTables(), new OriginalContents());
  }

  RecoveryProcess(
      RecoverySetting setting, Path folder, SiteTables siteTables, OriginalContents contents)
      throws IOException {
    this.setting = setting;
    this.folder = folder;
    this.pools = new PrivatePools(folder, setting.pools(), contents);
    this.siteTables = siteTables;
    this.recording = new KeptRecording(folder);
  }

  void interrupt() {
    interrupted = true;
    TargetRun run = running;
    if (run != null) {
      run.interrupt();
      run.interrupt();
    }
  }

  /** Runs a job and keeps what it prints. */
  RecoveryResult run(RecoveryJob job) throws RecoveryException, InterruptedException {
    return run(job, Optional.of(setting.outputs().resolve(job.number() + ".out")));
  }

  /** Runs a job; without a file its output passes through. */
  public RecoveryResult run(RecoveryJob job, Optional<Path> output)
      throws RecoveryException, InterruptedException {
    try {
      pools.put(job.pools());
      try (TargetRun run = TargetRun.start(command(job, output))) {
        running = run;
        if (interrupted) {
          interrupt();
        }
        List<ReadCheck> checks = new ArrayList<>();
        for (ImageCheck check : job.checks()) {
          checks.add(
              new ReadCheck(
                  run.symbols(), f -> poolOf(f, job), check.suspects(), setting.insideLibraries()));
        }
        watch(run, checks);
        End end = end(run.await());
        return new RecoveryResult(
            job,
            end,
            checked(job, checks, end),
            output.map(Path::toString).orElse(""),
            checks.get(0).mappedAPool());
      } finally {
        running = null;
        if (recording.isAbandoned()) {
          pools.abandon();
        }
      }
    } catch (TargetStartException e) {
      throw new RecoveryException("--recover: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new RecoveryException(
          folder + ": the crash image cannot be written there (" + e.getMessage() + ")", e);
    }
  }

  private static void watch(TargetRun run, List<ReadCheck> checks) throws IOException {
    Event event = new Event();
    while (run.source().next(event)) {
      for (ReadCheck check : checks) {
        EventHandler.dispatch(event, check);
      }
    }
  }

  private List<Checked> checked(RecoveryJob job, List<ReadCheck> checks, End end)
      throws IOException {
    List<Checked> checked = new ArrayList<>();
    for (int i = 0; i < checks.size(); i++) {
      ImageCheck check = job.checks().get(i);
      checked.add(
          new Checked(check, checks.get(i).reads(), end.hang() ? check.words() : left(job, check)));
    }
    return checked;
  }

  /** Gives its recording's space back; no run may be under way. */
  @Override
  public void close() throws RecoveryException {
    try {
      recording.close();
    } catch (IOException e) {
      throw new RecoveryException(folder + ": cannot be emptied (" + e.getMessage() + ")", e);
    }
  }

  private TargetCommand command(RecoveryJob job, Optional<Path> output) {
    List<Path> pm = new ArrayList<>(setting.pools());
    pm.addAll(pools.own());
    TargetCommand.Builder command =
        TargetCommand.of(job.command().words(), setting.runtime(), folder)
            .directory(setting.directory())
            .timeout(Duration.ofMillis(job.command().limitMillis()))
            .pmPaths(pm)
            .kept(recording)
            .surroundings(
                new Surroundings(
                    pools.views(), pools.places(job.pools()), true, output, true, siteTables));
    return setting.frontEnd().apply(command).build();
  }

  private int poolOf(String file, RecoveryJob job) {
    for (int i = 0; i < job.pools().size(); i++) {
      if (pools.ownOf(job.pools().get(i).path()).toString().equals(file)) {
        return i;
      }
    }
    return -1;
  }

  private static End end(Outcome outcome) {
    if (outcome.cause() == Outcome.Cause.TIMEOUT) {
      return new End(0, 0, true);
    }
    return new End(outcome.exit().orElse(0), outcome.signal().orElse(0), false);
  }

  /** The lock words that are not what they should be after a restart. */
  private List<WordCheck> left(RecoveryJob job, ImageCheck check) throws IOException {
    List<WordCheck> left = new ArrayList<>();
    for (WordCheck suspect : check.words()) {
      SyncWord word = suspect.word();
      int pool = PoolAddress.pool(word.range().address());
      Path own = pools.ownOf(job.pools().get(pool).path());
      if (Files.exists(own) && !word.isInitial(read(own, word))) {
        left.add(suspect);
      }
    }
    return left;
  }

  private static long read(Path file, SyncWord word) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      bytes.limit((int) Math.min(8, word.range().length()));
      in.read(bytes, PoolAddress.offset(word.range().address()));
      return bytes.limit(8).getLong(0);
    }
  }
}
