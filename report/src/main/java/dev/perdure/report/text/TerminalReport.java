package dev.perdure.report.text;

import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.finding.FindingRanking;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The report that a person reads in a terminal. */
public final class TerminalReport {
  private final RunReport report;
  private final TerminalStyle style;
  private final List<String> lines = new ArrayList<>();

  private TerminalReport(RunReport report, TerminalStyle style) {
    this.report = report;
    this.style = style;
  }

  /** The whole text; its last line is the summary. */
  public static String render(RunReport report, TerminalStyle style) {
    return new TerminalReport(report, style).text();
  }

  private String text() {
    for (List<ReportedFinding> group : FindingRanking.groups(report.shown())) {
      group(group);
    }
    List<String> notices = Notices.of(report);
    for (String notice : notices) {
      List<String> wrapped = TextLayout.wrap(style.safe(notice), style.width() - 9);
      for (int i = 0; i < wrapped.size(); i++) {
        lines.add((i == 0 ? style.warning("perdure: ") : " ".repeat(9)) + wrapped.get(i));
      }
    }
    lines.add(style.strong(SummaryLine.of(report)));
    return String.join("\n", lines) + "\n";
  }

  private void group(List<ReportedFinding> group) {
    if (group.size() > 1) {
      Place store = group.get(0).finding().places().get(Role.STORE);
      String text =
          "%d findings share the store at %s: usually one bug"
              .formatted(group.size(), FrameText.place(FrameText.shown(Role.STORE, store)));
      String rule = style.horizontal().repeat(3);
      lines.add(
          style.strong(
              TextLayout.cut(rule + " " + style.safe(text) + " " + rule, style.width(), style)));
      lines.add("");
    }
    Set<String> taught = new HashSet<>();
    for (ReportedFinding finding : group) {
      String lesson = Advice.why(finding.finding()) + Advice.fix(finding.finding());
      lines.addAll(new FindingBlock(finding, report.source(), style).lines(taught.add(lesson)));
      lines.add("");
    }
  }
}
