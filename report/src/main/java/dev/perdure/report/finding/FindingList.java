package dev.perdure.report.finding;

import dev.perdure.model.config.Suppression;
import dev.perdure.model.finding.Finding;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.source.SourceExcerpts;
import dev.perdure.report.source.SourceLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the detectors found, made ready for a report: in order, with ids, suppressions applied, and
 * the source lines beside it.
 *
 * @param unused suppressions that covered nothing
 */
public record FindingList(
    List<ReportedFinding> findings, List<Suppression> unused, SourceExcerpts source) {

  public FindingList {
    findings = List.copyOf(findings);
    unused = List.copyOf(unused);
  }

  /** Prepares the findings of a run; {@code reproduce} is the command that repeats it. */
  public static FindingList of(
      List<Finding> found, List<Suppression> suppressions, SourceLines source, String reproduce) {
    var rules = new Suppressions(suppressions);
    Map<Finding, String> ids = new FindingIds(source).of(found);
    List<ReportedFinding> reported = new ArrayList<>();
    List<Suppressions.Numbered> numbered = new ArrayList<>();
    ids.forEach(
        (finding, id) -> {
          numbered.add(new Suppressions.Numbered(id, finding));
          reported.add(
              new ReportedFinding(
                  id,
                  finding,
                  rules.suppressed(id, finding),
                  rules.benign(id, finding),
                  reproduce));
        });
    return new FindingList(
        FindingRanking.of(reported), rules.unused(numbered), SourceExcerpts.of(found, source));
  }

  /** One sentence for each suppression that covered nothing. */
  public List<String> unusedNotices() {
    return unused.stream()
        .map(s -> "unused suppression at " + s.origin() + " (" + s.reason() + ")")
        .toList();
  }
}
