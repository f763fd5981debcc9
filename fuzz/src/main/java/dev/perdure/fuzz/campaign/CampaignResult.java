package dev.perdure.fuzz.campaign;

import dev.perdure.detect.DetectionStatistics;
import dev.perdure.detect.RecognisedLock;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.interleaving.Sharing;
import dev.perdure.model.finding.Finding;
import dev.perdure.target.Outcome;
import dev.perdure.trace.definition.ModuleSites;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * What came out of a campaign.
 *
 * @param failure the program's own, where it came to one
 * @param locks words that behave as locks do
 * @param toNanos from the clock of its trace
 */
public record CampaignResult(
    Campaign campaign,
    List<Finding> findings,
    Optional<Finding> failure,
    BitSet branches,
    BitSet pairs,
    Sharing sharing,
    List<RecognisedLock> locks,
    ExplorationArea area,
    Outcome outcome,
    DetectionStatistics statistics,
    List<ModuleSites> modules,
    LongUnaryOperator toNanos,
    long events,
    double seconds) {

  public CampaignResult {
    findings = List.copyOf(findings);
    locks = List.copyOf(locks);
    modules = List.copyOf(modules);
  }
}
