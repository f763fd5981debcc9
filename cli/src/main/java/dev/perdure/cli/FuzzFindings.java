package dev.perdure.cli;

import dev.perdure.fuzz.campaign.Campaign;
import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Level;
import dev.perdure.target.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What all campaigns found, and which of them shows each finding best. */
final class FuzzFindings {
  private final MergedFindings merged = new MergedFindings();
  private final Map<Object, Level> levels = new LinkedHashMap<>();
  private final Map<Object, Campaign> campaigns = new LinkedHashMap<>();

  /** Adds a campaign's findings; returns whether one is new, or of a higher level than before. */
  boolean add(CampaignResult result, List<Finding> seen) {
    List<Finding> findings = new ArrayList<>(seen);
    failure(result.outcome()).ifPresent(findings::add);
    merged.add(findings);
    boolean improved = false;
    for (Finding finding : findings) {
      Object key = MergedFindings.identity(finding);
      Level before = levels.get(key);
      if (before == null || finding.level().compareTo(before) > 0) {
        levels.put(key, finding.level());
        campaigns.put(key, result.campaign());
        improved = true;
      }
    }
    return improved;
  }

  private static Optional<Finding> failure(Outcome outcome) {
    boolean failed =
        outcome.cause() == Outcome.Cause.TIMEOUT
            || outcome.cause() == Outcome.Cause.TARGET && outcome.signal().isPresent();
    if (!failed) {
      return Optional.empty();
    }
    String how =
        outcome.cause() == Outcome.Cause.TIMEOUT
            ? "the program did not come to an end: a lock that is not released, or a loop"
            : "the program " + outcome.description();
    return Optional.of(
        new Finding(
            FindingKind.TARGET_FAILURE,
            Map.of(),
            Map.of(),
            Set.of(),
            1,
            how,
            Optional.empty(),
            List.of()));
  }

  List<Finding> all() {
    return merged.all();
  }

  /** The campaign that shows a finding best. */
  Optional<Campaign> campaignOf(Finding finding) {
    return Optional.ofNullable(campaigns.get(MergedFindings.identity(finding)));
  }

  /** The funnel of PMRace's table 3. */
  String funnel(long whitelisted) {
    List<Finding> races =
        all().stream().filter(f -> f.kind() == FindingKind.PERSISTENCY_RACE).toList();
    long effects = races.stream().filter(f -> f.effect().isPresent()).count();
    long recovered = races.stream().filter(FuzzFindings::isRecovered).count();
    return "inter-thread candidates %d, with durable effects %d, recovered %d, whitelisted %d, left %d"
        .formatted(
            races.size(), effects, recovered, whitelisted, effects - recovered - whitelisted);
  }

  private static boolean isRecovered(Finding finding) {
    return finding
        .effect()
        .flatMap(DurableEffect::recovery)
        .filter(DurableEffect.Recovery.RECOVERED::equals)
        .isPresent();
  }

  /** Whether something of that level was found, or of a kind that has none. */
  boolean reached(Level level) {
    return merged.all().stream()
        .anyMatch(f -> f.kind() != FindingKind.PERSISTENCY_RACE || f.level().compareTo(level) >= 0);
  }
}
