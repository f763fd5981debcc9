package dev.perdure.target;

import dev.perdure.model.code.SiteTable;
import dev.perdure.trace.live.LiveSource;
import dev.perdure.trace.live.LiveSymbols;
import dev.perdure.trace.live.Recording;
import dev.perdure.trace.live.RecordingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * One run of a target. The caller reads {@link #source} to its end, which comes when the target has
 * ended; then {@link #await} tells how. Closing a run ends whatever of it still lives, and gives
 * the recording's space back: neither source nor symbols may be used after that.
 */
public final class TargetRun implements AutoCloseable {
  private final Recording recording;
  private final Optional<KeptRecording> kept;
  private final List<Path> folders;
  private final LiveSymbols symbols;
  private final LiveSource source;
  private final Supervisor supervisor;
  private final Launch launch;
  private final Optional<PlanRequests> requests;
  private final Optional<OrphanGuard> guard;

  private TargetRun(
      Recording recording,
      Optional<KeptRecording> kept,
      List<Path> folders,
      LiveSymbols symbols,
      LiveSource source,
      Supervisor supervisor,
      Launch launch,
      Optional<PlanRequests> requests,
      Optional<OrphanGuard> guard) {
    this.recording = recording;
    this.kept = kept;
    this.folders = folders;
    this.symbols = symbols;
    this.source = source;
    this.supervisor = supervisor;
    this.launch = launch;
    this.requests = requests;
    this.guard = guard;
  }

  /**
   * Starts the target.
   *
   * @throws TargetStartException if the program cannot be run or there is no room for the recording
   */
  public static TargetRun start(TargetCommand command) throws TargetStartException {
    return start(
        command,
        command.surroundings().small() ? Supervisor.Patience.SHORT : Supervisor.Patience.DEFAULT,
        new AwakeClock(System::nanoTime));
  }

  /**
   * @param clock nanoseconds, for the time limits of the command and for the patience
   */
  static TargetRun start(TargetCommand command, Supervisor.Patience patience, LongSupplier clock)
      throws TargetStartException {
    Launch launch = Launch.check(command);
    Optional<KeptRecording> kept = command.kept();
    RecordingSpace space = kept.isPresent() ? kept.get().space() : newSpace(command);
    Optional<PlanRequests> requests = listen(space, command);
    Recording recording = create(space, command, requests);
    Optional<OrphanGuard> guard = Optional.empty();
    try {
      LiveSymbols symbols = new LiveSymbols(recording, sites(command));
      FollowedProcesses followed = new FollowedProcesses(symbols);
      LiveSource source = new LiveSource(recording, followed);
      guard = guard(command, space.folder());
      Process process = launch.start(recording.path());
      Supervisor supervisor =
          new Supervisor(process, command, followed, recording, source, patience, clock);
      supervisor.start(
          kept.map(KeptRecording::supervision).orElse(w -> Supervisor.newThread(w).start()));
      List<Path> folders = new ArrayList<>();
      if (kept.isEmpty()) {
        folders.add(space.folder());
      }
      launch.runtimeCopy().ifPresent(folders::add);
      return new TargetRun(
          recording, kept, folders, symbols, source, supervisor, launch, requests, guard);
    } catch (TargetStartException | RuntimeException e) {
      dismiss(guard);
      stop(requests);
      if (kept.isEmpty()) {
        discard(recording, space.folder());
      }
      throw e;
    }
  }

  /** The many short runs of a campaign do without: a process each would cost too much. */
  private static Optional<OrphanGuard> guard(TargetCommand command, Path folder)
      throws TargetStartException {
    try {
      return command.surroundings().small()
          ? Optional.empty()
          : Optional.of(OrphanGuard.over(folder));
    } catch (IOException e) {
      throw new TargetStartException("/bin/sh cannot be run (" + e.getMessage() + ")", e);
    }
  }

  private static Optional<PlanRequests> listen(RecordingSpace space, TargetCommand command)
      throws TargetStartException {
    try {
      return command.plans().isPresent()
          ? Optional.of(PlanRequests.listen(command.plans().get(), space.folder()))
          : Optional.empty();
    } catch (IOException e) {
      giveBack(space, command);
      throw new TargetStartException(
          space.folder() + ": no socket can be made there (" + e.getMessage() + ")", e);
    }
  }

  private static void dismiss(Optional<OrphanGuard> guard) throws TargetStartException {
    try {
      if (guard.isPresent()) {
        guard.get().close();
      }
    } catch (IOException e) {
      throw new TargetStartException("the shell beside the target cannot be ended", e);
    }
  }

  private static void stop(Optional<PlanRequests> requests) throws TargetStartException {
    try {
      if (requests.isPresent()) {
        requests.get().close();
      }
    } catch (IOException e) {
      throw new TargetStartException("the socket for plans cannot be closed", e);
    }
  }

  private static RecordingSpace newSpace(TargetCommand command) throws TargetStartException {
    return command.surroundings().small()
        ? RecordingSpace.small(command.runDirectory())
        : RecordingSpace.choose(command.runDirectory());
  }

  private static BiFunction<String, String, Optional<SiteTable>> sites(TargetCommand command) {
    SiteTables inFiles = command.surroundings().siteTables();
    return (path, id) ->
        command.plans().flatMap(p -> p.sites(path, id)).or(() -> inFiles.apply(path, id));
  }

  private static Recording create(
      RecordingSpace space, TargetCommand command, Optional<PlanRequests> requests)
      throws TargetStartException {
    try {
      if (requests.isPresent()) {
        Path index = space.folder().resolve("recording.plans");
        command.plans().get().writeIndex(index, requests.get().socket());
      }
      RecordingSettings settings = settings(space, command);
      Optional<KeptRecording> kept = command.kept();
      return kept.isPresent()
          ? kept.get().begin(settings)
          : Recording.create(space.folder().resolve("recording"), settings);
    } catch (IOException e) {
      stop(requests);
      giveBack(space, command);
      throw new TargetStartException(
          space.folder().getParent()
              + ": the recording cannot be made there ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  private static void giveBack(RecordingSpace space, TargetCommand command)
      throws TargetStartException {
    try {
      if (command.kept().isPresent()) {
        command.kept().get().abandon();
      } else {
        FileTree.delete(space.folder());
      }
    } catch (IOException e) {
      throw new TargetStartException(
          space.folder() + ": cannot be removed (" + e.getMessage() + ")", e);
    }
  }

  private static RecordingSettings settings(RecordingSpace space, TargetCommand command)
      throws IOException {
    return new RecordingSettings(
        space.ringSlots(),
        space.stackSlots(),
        ClockSource.choose(),
        command.seed(),
        PmPaths.forRuntime(command.pmPaths(), command.directory()),
        command.surroundings().views(),
        command.surroundings().places(),
        command.surroundings().libraryChanges(),
        command.libraryLoads(),
        command.sample());
  }

  private static void discard(Recording recording, Path folder) throws TargetStartException {
    try {
      recording.discard();
    } catch (IOException e) {
      throw new TargetStartException(folder + ": cannot be emptied (" + e.getMessage() + ")", e);
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws TargetStartException {
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      throw new TargetStartException(folder + ": cannot be removed (" + e.getMessage() + ")", e);
    }
  }

  /** The target's events, while it runs. */
  public LiveSource source() {
    return source;
  }

  /** What the numbers in the events mean. */
  public LiveSymbols symbols() {
    return symbols;
  }

  /** Counters of what could not be recorded. */
  public Recording recording() {
    return recording;
  }

  /** Asks the target to end; a second time, kills it. For the handler of Ctrl-C. */
  public void interrupt() {
    supervisor.interrupt();
  }

  /**
   * Asks a server that has done what it was started for to end; for one that has ended, nothing.
   */
  public void finish() {
    supervisor.finish();
  }

  /**
   * Waits until the run is over. The source must be read meanwhile, or the target waits for room in
   * its rings.
   */
  public Outcome await() throws InterruptedException {
    try {
      Outcome outcome = supervisor.outcome().get();
      launch.awaitOutput();
      return outcome;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the run could not be watched", e.getCause());
    }
  }

  /** Whether the run is over. */
  public boolean ended() {
    return supervisor.outcome().isDone();
  }

  /** What of the target was not followed, one sentence each; known when the run is over. */
  public List<String> unfollowed() {
    return supervisor.unfollowed();
  }

  /** From the start to the end of the main process, or to now. */
  public Duration elapsed() {
    return supervisor.elapsed();
  }

  @Override
  public void close() throws IOException {
    boolean alone = supervisor.end();
    if (guard.isPresent()) {
      guard.get().close();
    }
    if (requests.isPresent()) {
      requests.get().close();
    }
    if (kept.isPresent()) {
      if (!alone) {
        kept.get().abandon();
      }
    } else if (alone) {
      recording.discard();
    } else {
      // What still maps the file would fault if it were truncated.
      recording.close();
    }
    for (Path folder : folders) {
      FileTree.delete(folder);
    }
  }
}
