package dev.perdure.report.run;

import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.report.source.SourceExcerpts;
import java.util.List;
import java.util.Optional;

/**
 * All that is known of a finished run: the content of findings.json. Every report format is a
 * rendering of this value and of nothing else.
 *
 * @param version of Perdure
 * @param command of Perdure, such as {@code run}
 * @param complete whether the target came to its own end, so that what is missing can be judged
 * @param findings in the order of reports, suppressed ones among them
 * @param notices sentences about the run as a whole, such as unused suppressions
 * @param source the source lines that the findings name
 */
public record RunReport(
    String version,
    String command,
    TargetOutcome target,
    boolean complete,
    Coverage coverage,
    RunStats stats,
    List<ReportedFinding> findings,
    List<String> notices,
    SourceExcerpts source) {
  /** How the notice begins that says so of the target; what follows is the reason. */
  public static final String NO_PM = "the target touched no persistent memory";

  public RunReport {
    findings = List.copyOf(findings);
    notices = List.copyOf(notices);
  }

  /** The same run with its findings in another form. */
  public RunReport with(List<ReportedFinding> newFindings) {
    return new RunReport(
        version, command, target, complete, coverage, stats, newFindings, notices, source);
  }

  /**
   * What a finding rests on that could not be seen: plain programs show no order that threads make
   * by plain accesses of ordinary memory.
   */
  public Optional<String> assumed(Finding finding) {
    boolean plain = coverage.frontend().equals("binary");
    return plain && finding.kind() == FindingKind.PERSISTENCY_RACE
        ? Optional.of(
            "that the two threads are not ordered by plain accesses of ordinary memory, which are not followed in a plain binary")
        : Optional.empty();
  }

  /** The findings that are not suppressed. */
  public List<ReportedFinding> shown() {
    return findings.stream().filter(f -> f.suppressed().isEmpty()).toList();
  }
}
