package dev.perdure.report.text;

import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Level;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunReport;
import java.util.ArrayList;
import java.util.List;

/** The closing line of every report: {@code SUMMARY: …} with counts by kind and level. */
public final class SummaryLine {
  private SummaryLine() {}

  public static String of(RunReport report) {
    List<String> parts = new ArrayList<>();
    for (FindingKind kind : FindingKind.values()) {
      List<ReportedFinding> ofKind =
          report.shown().stream()
              .filter(f -> f.benign().isEmpty() && f.finding().kind() == kind)
              .toList();
      if (!ofKind.isEmpty()) {
        parts.add(ofKind.size() + " " + kind.label() + levels(kind, ofKind));
      }
    }
    long benign = report.shown().stream().filter(f -> f.benign().isPresent()).count();
    long suppressed = report.findings().size() - report.shown().size();
    var line = new StringBuilder("SUMMARY: ");
    line.append(parts.isEmpty() ? "no findings" : String.join(", ", parts));
    if (benign > 0) {
      line.append("; ").append(benign).append(" benign");
    }
    if (suppressed > 0) {
      line.append("; ").append(suppressed).append(" suppressed");
    }
    return line.append(report.complete() ? "" : "; incomplete run").toString();
  }

  private static String levels(FindingKind kind, List<ReportedFinding> findings) {
    if (kind != FindingKind.PERSISTENCY_RACE) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    for (int i = Level.values().length - 1; i >= 0; i--) {
      Level level = Level.values()[i];
      long count = findings.stream().filter(f -> f.finding().level() == level).count();
      if (count > 0) {
        parts.add(count + " " + level.label());
      }
    }
    return " (" + String.join(", ", parts) + ")";
  }
}
