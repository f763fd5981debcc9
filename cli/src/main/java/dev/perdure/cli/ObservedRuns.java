package dev.perdure.cli;

import dev.perdure.detect.Detection;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.model.config.Suppression;
import dev.perdure.model.finding.Finding;
import dev.perdure.report.finding.FindingList;
import dev.perdure.report.run.Coverage;
import dev.perdure.report.run.Ending;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.RunStats;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceLines;
import dev.perdure.target.Outcome;
import dev.perdure.target.TargetRun;
import dev.perdure.trace.definition.ModuleSites;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the runs of an observation have come to so far, all together. */
final class ObservedRuns {
  private final long seed;
  private final NamedFlushes flushes;
  private final MergedFindings found = new MergedFindings();
  private final Set<String> notices = new LinkedHashSet<>();
  private final Set<String> unfollowed = new LinkedHashSet<>();
  private RunStats stats;
  private Coverage coverage = Coverage.NONE;
  private List<RecognisedLock> recognisedLocks = List.of();
  private TargetOutcome outcome;
  private boolean complete = true;
  private boolean observedAnything;

  /**
   * @param flushes the project's own functions that flush
   */
  ObservedRuns(long seed, NamedFlushes flushes) {
    this.seed = seed;
    this.flushes = flushes;
    this.stats = new RunStats(0, 0, 0, 0, 0, seed);
  }

  /** What the detectors found. */
  List<Finding> findings() {
    return found.all();
  }

  /** Words that behaved as locks in the last run. */
  List<RecognisedLock> recognisedLocks() {
    return recognisedLocks;
  }

  /** Whether any program has run that was built with perdure cc or could be patched. */
  boolean observedAnything() {
    return observedAnything;
  }

  /** Whether persistent memory was accessed. */
  boolean touchedPm() {
    return stats.pmBytes() > 0;
  }

  /** Something that the user should know; said once. */
  void note(String notice) {
    notices.add(notice);
  }

  /** The findings are not all that there may be. */
  void incomplete() {
    complete = false;
  }

  /** Adds a run that has ended. */
  void add(
      List<String> command,
      TargetRun run,
      Outcome ended,
      FrontEnd frontEnd,
      Detection detection,
      long events) {
    List<Finding> findings =
        detection.finish(
            run.symbols(), ended.complete(), Ticks.toNanos(run.source().ticksPerSecond()));
    found.add(flushes.outside(findings));
    recognisedLocks = detection.recognisedLocks();
    complete &= ended.complete();
    unfollowed.addAll(run.unfollowed());
    unfollowed.addAll(frontEnd.unobserved());
    losses(run);
    List<ModuleSites> modules = run.symbols().modules();
    observedAnything |= !modules.isEmpty();
    coverage =
        new Coverage(
            frontEnd.label(),
            modules.size(),
            modules.stream().mapToLong(ModuleSites::count).sum(),
            frontEnd.uncovered(),
            frontEnd.gaps(),
            List.copyOf(unfollowed));
    for (ModuleSites module : modules) {
      if (module.sites().isEmpty()) {
        notices.add(
            module.path()
                + " has changed since it ran, or cannot be read: its places are not known");
      }
    }
    var statistics = detection.statistics();
    stats =
        new RunStats(
            stats.events() + events,
            Math.max(stats.threads(), statistics.threads()),
            Math.max(stats.pmBytes(), statistics.pmBytes()),
            stats.seconds() + run.elapsed().toNanos() / 1e9,
            PeakMemory.ofThisProcess(),
            seed);
    if (outcome == null || ended.failed()) {
      outcome = new TargetOutcome(command, ended.exit(), ended.signal(), ending(ended));
    }
  }

  private void losses(TargetRun run) {
    if (run.recording().lost() > 0) {
      notices.add(
          run.recording().lost() + " events could not be recorded for lack of space or rings");
    }
    if (run.recording().stacksFull() > 0) {
      notices.add(
          run.recording().stacksFull()
              + " events have no call stack: the table of stacks was full");
    }
  }

  private static Ending ending(Outcome ended) {
    return switch (ended.cause()) {
      case TARGET -> ended.signal().isPresent() ? Ending.SIGNALLED : Ending.EXITED;
      case TIMEOUT -> Ending.TIMED_OUT;
      case DURATION, INTERRUPT -> Ending.STOPPED;
    };
  }

  /** The report of findings, and of the suppressions that matched none. */
  RunReport report(
      String commandName,
      List<Finding> findings,
      List<Suppression> suppressions,
      String reproduce) {
    FindingList list =
        FindingList.of(
            findings, suppressions, SourceLines.fromFiles(List.of(Path.of(""))), reproduce);
    List<String> all = new ArrayList<>(notices);
    all.addAll(list.unusedNotices());
    return new RunReport(
        Version.NUMBER,
        commandName,
        outcome,
        complete,
        coverage,
        stats,
        list.findings(),
        all,
        list.source());
  }
}
