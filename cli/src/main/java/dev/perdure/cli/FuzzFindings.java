package dev.perdure.cli;

import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Level;
import dev.perdure.report.run.ReportedFinding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What all campaigns found, and which of them shows each finding best. */
final class FuzzFindings {
  private static final Pattern REPLAY = Pattern.compile("--replay (C\\d+)");

  private final MergedFindings merged = new MergedFindings();
  private final Map<Object, Level> levels = new HashMap<>();
  private final Map<Object, String> campaigns = new HashMap<>();
  private final Set<Object> fresh = new LinkedHashSet<>();

  /** Adds what an earlier search of the same run directory has found. */
  void resume(List<ReportedFinding> earlier) {
    for (ReportedFinding reported : earlier) {
      Finding finding = reported.finding();
      Matcher replay = REPLAY.matcher(reported.reproduce());
      if (replay.find()) {
        Object key = MergedFindings.identity(finding);
        merged.add(List.of(finding));
        levels.put(key, finding.level());
        campaigns.put(key, replay.group(1));
      }
    }
  }

  /** The findings of a search that a campaign showed, by their identity. */
  static Set<Object> shownBy(String campaign, List<ReportedFinding> findings) {
    Set<Object> shown = new LinkedHashSet<>();
    for (ReportedFinding reported : findings) {
      Matcher replay = REPLAY.matcher(reported.reproduce());
      if (replay.find() && replay.group(1).equals(campaign)) {
        shown.add(MergedFindings.identity(reported.finding()));
      }
    }
    return shown;
  }

  /** Whether all of these were found. */
  boolean has(Set<Object> identities) {
    return levels.keySet().containsAll(identities);
  }

  /** Adds a campaign's findings; returns whether one is new, or of a higher level than before. */
  boolean add(CampaignResult result, List<Finding> seen) {
    List<Finding> findings = new ArrayList<>(seen);
    result.failure().ifPresent(findings::add);
    merged.add(findings);
    boolean improved = false;
    for (Finding finding : findings) {
      Object key = MergedFindings.identity(finding);
      Level before = levels.get(key);
      if (before == null || finding.level().compareTo(before) > 0) {
        levels.put(key, finding.level());
        campaigns.put(key, result.campaign().id());
        fresh.add(key);
        improved = true;
      }
    }
    return improved;
  }

  List<Finding> all() {
    return merged.all();
  }

  /** Without those that only an earlier search has shown. */
  List<Finding> ofThisSearch() {
    return all().stream().filter(f -> fresh.contains(MergedFindings.identity(f))).toList();
  }

  /** The campaign that shows a finding best. */
  String campaignOf(Finding finding) {
    return campaigns.get(MergedFindings.identity(finding));
  }

  /** Whether something of that level was found. */
  boolean reached(Level level) {
    return merged.all().stream().anyMatch(f -> f.level().compareTo(level) >= 0);
  }
}
