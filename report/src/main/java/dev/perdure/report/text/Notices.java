package dev.perdure.report.text;

import dev.perdure.report.run.Ending;
import dev.perdure.report.run.RunReport;
import java.util.ArrayList;
import java.util.List;

/** Sentences about the run as a whole: how it ended, what was not seen, what was left out. */
final class Notices {
  private static final int SIGSYS = 31;

  private static final String[] SIGNALS = {
    "",
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR"
  };

  private Notices() {}

  static List<String> of(RunReport report) {
    List<String> notices = new ArrayList<>();
    ending(report, notices);
    if (!report.complete()) {
      notices.add(
          "incomplete run: missing flushes and fences are not judged, and races may be missing");
    }
    coverage(report, notices);
    report.shown().stream()
        .flatMap(f -> report.assumed(f.finding()).stream())
        .distinct()
        .forEach(what -> notices.add("the races assume " + what));
    notices.addAll(report.notices());
    long suppressed = report.findings().size() - report.shown().size();
    if (suppressed > 0) {
      notices.add(suppressed + (suppressed == 1 ? " finding is" : " findings are") + " suppressed");
    }
    return notices;
  }

  private static void ending(RunReport report, List<String> notices) {
    var target = report.target();
    switch (target.ending()) {
      case SIGNALLED -> notices.add("the target was ended by " + signal(target.signal().orElse(0)));
      case TIMED_OUT -> notices.add("the target was killed at the time limit");
      case STOPPED ->
          notices.add(
              target.killed()
                  ? "the target did not end when it was asked to, and was killed"
                  : "the target was asked to end");
      case NOT_STARTED -> notices.add("the target could not be started");
      case EXITED, UNKNOWN -> {
        if (target.exit().orElse(0) != 0) {
          notices.add("the target ended with exit code " + target.exit().getAsInt());
        }
      }
    }
  }

  private static void coverage(RunReport report, List<String> notices) {
    long uncovered = report.coverage().uncovered();
    if (uncovered > 0) {
      notices.add(
          uncovered
              + (uncovered == 1 ? " place" : " places")
              + " could not be instrumented: what happens there is not seen"
              + " (coverage.gaps in findings.json names "
              + (uncovered == 1 ? "it)" : "them)"));
    }
    report.coverage().unfollowed().forEach(what -> notices.add("not followed: " + what));
    Ending ending = report.target().ending();
    boolean ran =
        !report.target().command().isEmpty()
            && ending != Ending.NOT_STARTED
            && ending != Ending.UNKNOWN;
    if (report.stats().pmBytes() == 0
        && ran
        && report.notices().stream().noneMatch(n -> n.startsWith(RunReport.NO_PM))) {
      notices.add(RunReport.NO_PM + ": name its pool with --pm PATH");
    }
  }

  private static String signal(int number) {
    if (number == SIGSYS) {
      return "SIGSYS: a seccomp filter of its own may forbid system calls that recording needs"
          + " (kill, nanosleep, sched_yield, getpid, mmap)";
    }
    return number > 0 && number < SIGNALS.length ? SIGNALS[number] : "signal " + number;
  }
}
