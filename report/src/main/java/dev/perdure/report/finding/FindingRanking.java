package dev.perdure.report.finding;

import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Role;
import dev.perdure.report.run.ReportedFinding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which a person should look at findings (Vardalith, section 8.2): those that share a
 * store stand together; the groups whose best finding is surest come first, and of these the most
 * prevalent, by pairs and then by occurrences, because a pattern points to a bug of the design.
 * What is known to be benign comes last.
 */
public final class FindingRanking {
  private static final Comparator<ReportedFinding> WITHIN_GROUP =
      Comparator.<ReportedFinding, Boolean>comparing(f -> !f.counts())
          .thenComparing(ReportedFinding::finding, FindingOrder.INSTANCE);

  private static final Comparator<Group> OF_GROUPS =
      Comparator.<Group, Boolean>comparing(g -> !g.best().counts())
          .thenComparing(g -> g.best().finding().level(), Comparator.reverseOrder())
          .thenComparing(g -> g.best().finding().kind())
          .thenComparing(Group::pairs, Comparator.reverseOrder())
          .thenComparing(Group::occurrences, Comparator.reverseOrder())
          .thenComparing(g -> g.best().finding(), FindingOrder.INSTANCE);

  private FindingRanking() {}

  /** Findings of one store, the best first. */
  private record Group(List<ReportedFinding> findings) {
    ReportedFinding best() {
      return findings.get(0);
    }

    long pairs() {
      return findings.stream().filter(ReportedFinding::counts).count();
    }

    long occurrences() {
      return findings.stream().map(ReportedFinding::finding).mapToLong(Finding::count).sum();
    }
  }

  /** The same findings, in the order of reports. */
  static List<ReportedFinding> of(List<ReportedFinding> findings) {
    return groups(findings.stream().sorted(WITHIN_GROUP).toList()).stream()
        .map(Group::new)
        .sorted(OF_GROUPS)
        .flatMap(g -> g.findings().stream())
        .toList();
  }

  /** Findings that share a store stand together, where the first of them stands. */
  public static List<List<ReportedFinding>> groups(List<ReportedFinding> findings) {
    Map<Object, List<ReportedFinding>> groups = new LinkedHashMap<>();
    for (ReportedFinding finding : findings) {
      Object key =
          finding.finding().place(Role.STORE).<Object>map(place -> place.site()).orElse(finding);
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(finding);
    }
    return List.copyOf(groups.values());
  }
}
