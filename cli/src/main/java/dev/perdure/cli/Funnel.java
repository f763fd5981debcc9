package dev.perdure.cli;

import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.report.run.ReportedFinding;
import java.util.List;

/**
 * How many of the candidates are left in the end, as in PMRace's table 3.
 *
 * @param candidates reads of what another thread has not persisted
 * @param effects those that led to durable effects
 * @param recovered of these, what recovery overwrites
 * @param whitelisted of the rest, what the project calls benign or suppresses
 * @param locks lock words that recovery leaves taken
 */
record Funnel(int candidates, int effects, int recovered, int whitelisted, int left, int locks) {

  static Funnel of(List<ReportedFinding> reported) {
    List<ReportedFinding> races =
        reported.stream().filter(f -> f.finding().kind() == FindingKind.PERSISTENCY_RACE).toList();
    List<ReportedFinding> effects =
        races.stream().filter(f -> f.finding().effect().isPresent()).toList();
    List<ReportedFinding> unrecovered =
        effects.stream().filter(f -> !isRecovered(f.finding())).toList();
    int whitelisted =
        (int)
            unrecovered.stream()
                .filter(f -> f.benign().isPresent() || f.suppressed().isPresent())
                .count();
    int locks =
        (int)
            reported.stream()
                .filter(f -> f.finding().kind() == FindingKind.SYNC_INCONSISTENCY)
                .count();
    return new Funnel(
        races.size(),
        effects.size(),
        effects.size() - unrecovered.size(),
        whitelisted,
        unrecovered.size() - whitelisted,
        locks);
  }

  private static boolean isRecovered(Finding finding) {
    return finding
        .effect()
        .flatMap(DurableEffect::recovery)
        .filter(DurableEffect.Recovery.RECOVERED::equals)
        .isPresent();
  }

  String text() {
    return "inter-thread candidates %d, with durable effects %d, recovered %d, whitelisted %d, left %d; lock words left taken %d"
        .formatted(candidates, effects, recovered, whitelisted, left, locks);
  }
}
