package dev.perdure.cli;

import dev.perdure.fuzz.campaign.Campaign;
import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.fuzz.campaign.Minimisation;
import dev.perdure.fuzz.input.Mutator;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the inputs of saved campaigns smaller, when a search is over. */
final class FuzzMinimisation {
  private final FuzzFindings found;
  private final SavedCampaigns saved;
  private final FuzzProgress progress;

  FuzzMinimisation(FuzzFindings found, SavedCampaigns saved, FuzzProgress progress) {
    this.found = found;
    this.saved = saved;
    this.progress = progress;
  }

  /** Each campaign that shows findings gets an equal part of the time. */
  void run(CampaignRunner runner, Mutator mutator, Duration time)
      throws IOException, TargetStartException, InterruptedException {
    Map<String, List<Finding>> byCampaign = new LinkedHashMap<>();
    for (Finding finding : found.ofThisSearch()) {
      if (finding.kind() != FindingKind.SYNC_INCONSISTENCY) {
        byCampaign.computeIfAbsent(found.campaignOf(finding), id -> new ArrayList<>()).add(finding);
      }
    }
    long end = System.nanoTime();
    for (var entry : byCampaign.entrySet()) {
      end += time.toNanos() / byCampaign.size();
      long until = end;
      Minimisation minimisation =
          new Minimisation(
              runner, mutator, () -> progress.interrupted() || System.nanoTime() - until >= 0);
      Campaign campaign = saved.load(entry.getKey());
      Campaign smaller = minimisation.of(campaign, r -> shows(r, entry.getValue()));
      if (smaller.input().length < campaign.input().length) {
        saved.save(smaller);
      }
    }
  }

  /**
   * Whether a campaign shows all of the findings, at the level that campaigns by themselves can
   * reach: recovery is not asked again.
   */
  private static boolean shows(CampaignResult result, List<Finding> findings) {
    List<Finding> seen = new ArrayList<>(result.findings());
    result.failure().ifPresent(seen::add);
    return findings.stream()
        .allMatch(
            f ->
                seen.stream()
                    .anyMatch(
                        s ->
                            MergedFindings.identity(s).equals(MergedFindings.identity(f))
                                && s.effect().isPresent() == f.effect().isPresent()));
  }
}
