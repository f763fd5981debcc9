package dev.perdure.cli;

import dev.perdure.crash.recovery.JobArchive;
import dev.perdure.crash.recovery.PoolImage;
import dev.perdure.crash.recovery.RecoveryException;
import dev.perdure.crash.recovery.RecoveryJob;
import dev.perdure.crash.recovery.RecoveryProcess;
import dev.perdure.crash.recovery.RecoveryResult;
import dev.perdure.crash.recovery.RecoveryResult.End;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.file.FileReason;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.report.json.FindingsFormatException;
import dev.perdure.report.json.FindingsJson;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.target.ScratchFolder;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs the recovery of one finding again, on the very image that showed it. */
final class CrashReplay {
  private static final String ARCHIVE = "images";

  private final Home home;
  private final boolean insideLibraries;
  private final String frontend;
  private final Configuration configuration;

  CrashReplay(Home home, ObservationOptions options) {
    this.home = home;
    this.insideLibraries = options.insideLibraries;
    this.frontend = options.frontend;
    this.configuration = RunSettings.configuration(options);
  }

  /** Where a crash test keeps the jobs that showed something. */
  static JobArchive archive(RunDirectory directory) {
    return new JobArchive(directory.path().resolve(ARCHIVE));
  }

  /** Runs it; 1 if it fails or misreads again, else 0. */
  int of(String id, Path runDirectory) {
    RunDirectory directory = new RunDirectory(runDirectory);
    CrashPoint point = point(id, directory);
    JobArchive archive = archive(directory);
    if (!archive.has(point.index(), point.image())) {
      throw CommandFailure.usage(id + ": its image was not kept in " + runDirectory);
    }
    RecoveryJob job = job(id, archive, point);
    try (ScratchFolder scratch = ScratchFolder.create(runDirectory);
        RecoveryProcess process =
            new RecoveryProcess(setting(job, scratch.path()), scratch.path())) {
      RecoveryResult result = process.run(job, Optional.empty());
      System.err.println("perdure: " + describe(id, point, result));
      return result.clean() ? 0 : 1;
    } catch (TargetStartException | RecoveryException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (IOException e) {
      throw CommandFailure.usage(id + ": cannot be replayed (" + FileReason.of(e) + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.internal("interrupted", e);
    }
  }

  private static RecoveryJob job(String id, JobArchive archive, CrashPoint point) {
    try {
      return archive.read(point.index(), point.image());
    } catch (IOException e) {
      throw CommandFailure.usage(id + ": its image cannot be read (" + FileReason.of(e) + ")", e);
    }
  }

  private static CrashPoint point(String id, RunDirectory directory) {
    if (!Files.exists(directory.findings())) {
      throw CommandFailure.usage(
          directory.path() + ": no crash test is kept there; name its directory with --out");
    }
    try {
      return FindingsJson.read(directory.findings()).findings().stream()
          .filter(f -> f.id().equals(id))
          .findFirst()
          .map(ReportedFinding::finding)
          .flatMap(f -> f.crash())
          .orElseThrow(
              () ->
                  CommandFailure.usage(
                      id + ": there is no such finding of a failure in " + directory.findings()));
    } catch (FindingsFormatException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }

  private RecoverySetting setting(RecoveryJob job, Path scratch) {
    List<Path> pools = job.pools().stream().map(PoolImage::path).map(Path::of).toList();
    return new RecoverySetting(
        pools,
        Path.of("").toAbsolutePath(),
        home.runtimeLibrary(),
        scratch,
        scratch,
        insideLibraries,
        FrontEnd.ofRecovery(frontend, job.command().words().get(0), configuration, insideLibraries)
            ::prepare);
  }

  private static String describe(String id, CrashPoint point, RecoveryResult result) {
    End end = result.end();
    String how =
        end.hang()
            ? "did not end within its time limit"
            : end.signal() != 0
                ? "was ended by signal " + end.signal()
                : "exited with code " + end.exit();
    int reads = result.checked().stream().mapToInt(c -> c.reads().size()).sum();
    return "%s, failure point %d, image %s: recovery %s and read %d suspect ranges"
        .formatted(id, point.index(), point.image(), how, reads);
  }
}
