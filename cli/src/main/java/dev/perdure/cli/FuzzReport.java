package dev.perdure.cli;

import dev.perdure.model.config.Configuration;
import dev.perdure.report.finding.FindingList;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The report of a search.
 *
 * @param directory where its campaigns are kept
 * @param further options that a replay needs
 */
record FuzzReport(
    List<String> command,
    List<Path> pm,
    List<String> further,
    Path directory,
    Configuration configuration) {

  RunReport of(FuzzFindings found, FuzzProgress progress, FuzzStatus status, List<String> notices) {
    FindingList list =
        FindingList.of(
            found.all(),
            configuration.suppressions(),
            SourceLines.fromFiles(List.of(Path.of(""))),
            "");
    List<ReportedFinding> reported =
        list.findings().stream()
            .map(
                f ->
                    new ReportedFinding(
                        f.id(), f.finding(), f.suppressed(), f.benign(), reproduce(f, found)))
            .toList();
    List<String> all = new ArrayList<>(notices);
    if (progress.stats().pmBytes() == 0) {
      all.add(
          status.campaigns() == 0
              ? RunReport.NO_PM + ": no campaign came to its end"
              : NamedPools.untouched(pm));
    }
    all.add(
        status.campaigns()
            + (status.campaigns() == 1 ? " campaign; " : " campaigns; ")
            + Funnel.of(reported).text());
    all.addAll(list.unusedNotices());
    return new RunReport(
        Version.NUMBER,
        "fuzz",
        TargetOutcome.exited(command, progress.lastExit()),
        !progress.interrupted(),
        progress.coverage(),
        progress.stats(),
        reported,
        all,
        list.source());
  }

  private String reproduce(ReportedFinding finding, FuzzFindings found) {
    List<String> words = new ArrayList<>(List.of("perdure", "fuzz"));
    words.addAll(List.of("--out", directory.toString(), "--replay"));
    words.add(found.campaignOf(finding.finding()));
    pm.forEach(p -> words.addAll(List.of("--pm", p.toString())));
    words.addAll(further);
    words.add("--");
    words.addAll(command);
    return ShellWords.join(words);
  }
}
