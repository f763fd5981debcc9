package dev.perdure.cli;

import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of a search, for the screen and the file of statistics. */
final class FuzzStatus {
  private final long start = System.nanoTime();
  private long lastFind = start;
  private int campaigns;
  private int corpus;
  private Map<String, String> figures = new LinkedHashMap<>();
  private Map<String, String> firstEffect = Map.of();

  void finished(
      CampaignResult result,
      Coverage coverage,
      String state,
      List<Finding> found,
      boolean improved) {
    campaigns++;
    long now = System.nanoTime();
    if (improved) {
      lastFind = now;
    }
    Map<String, String> next = new LinkedHashMap<>();
    next.put("seconds", seconds(now - start));
    next.put("campaigns", Integer.toString(campaigns));
    next.put(
        "campaigns_per_second",
        String.format(Locale.ROOT, "%.1f", campaigns / Math.max(1e-9, (now - start) / 1e9)));
    next.put("corpus", Integer.toString(corpus));
    next.put("branches", Integer.toString(coverage.branches()));
    next.put("alias_pairs", Integer.toString(coverage.pairs()));
    next.put("findings", Integer.toString(found.size()));
    for (Level level : Level.values()) {
      long count = found.stream().filter(f -> f.level() == level).count();
      next.put("findings_" + level.label(), Long.toString(count));
    }
    if (firstEffect.isEmpty() && found.stream().anyMatch(FuzzStatus::hasEffect)) {
      firstEffect =
          Map.of(
              "first_effect_seconds",
              seconds(now - start),
              "first_effect_campaign",
              "" + campaigns);
    }
    next.putAll(firstEffect);
    next.put("seconds_since_last_find", seconds(now - lastFind));
    next.put("tier", result.campaign().tier().label());
    next.put("sync_point", state);
    figures = next;
  }

  void corpus(int inputs) {
    corpus = inputs;
    figures.put("corpus", Integer.toString(inputs));
  }

  int campaigns() {
    return campaigns;
  }

  /** The figures, one a line. */
  String text() {
    StringBuilder text = new StringBuilder();
    figures.forEach((name, value) -> text.append(name).append(" : ").append(value).append('\n'));
    return text.toString();
  }

  /** Seconds, campaigns, branches, alias pairs and findings, for a diagram of their growth. */
  String row() {
    return List.of("seconds", "campaigns", "branches", "alias_pairs", "findings").stream()
        .map(name -> figures.getOrDefault(name, "0"))
        .collect(Collectors.joining(" "));
  }

  /** The figures that matter while one waits. */
  String line() {
    List<String> parts = new ArrayList<>();
    parts.add(figures.getOrDefault("campaigns", "0") + " campaigns");
    parts.add(figures.getOrDefault("campaigns_per_second", "0") + "/s");
    parts.add(figures.getOrDefault("branches", "0") + " branches");
    parts.add(figures.getOrDefault("alias_pairs", "0") + " alias pairs");
    parts.add(figures.getOrDefault("findings", "0") + " findings");
    parts.add("last find " + figures.getOrDefault("seconds_since_last_find", "0") + " s ago");
    parts.add(figures.getOrDefault("tier", "") + ": " + figures.getOrDefault("sync_point", ""));
    return String.join(", ", parts);
  }

  private static boolean hasEffect(Finding finding) {
    return finding.kind() == FindingKind.PERSISTENCY_RACE && finding.effect().isPresent();
  }

  private static String seconds(long nanoseconds) {
    return String.format(Locale.ROOT, "%.1f", nanoseconds / 1e9);
  }
}
