package dev.perdure.report.run;

/** Perdure's exit codes. */
public final class ExitCode {
  public static final int CLEAN = 0;
  public static final int FINDINGS = 1;

  /** Wrong usage, configuration or input file, or not available in this version. */
  public static final int USAGE = 2;

  /** The target could not be started, or ended by a signal or by {@code --timeout}. */
  public static final int TARGET_BROKEN = 3;

  /** An error in Perdure itself. */
  public static final int INTERNAL = 70;

  private ExitCode() {}

  /** The exit code of a run with this report. */
  public static int of(RunReport report, FailOn failOn) {
    if (report.findings().stream().anyMatch(failOn::fails)) {
      return FINDINGS;
    }
    return report.target().broken() ? TARGET_BROKEN : CLEAN;
  }
}
