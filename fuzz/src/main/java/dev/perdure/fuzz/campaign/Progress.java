package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.target.TargetStartException;
import java.io.IOException;

/** Hears of each campaign, one at a time; may ask the search to end. */
public interface Progress {
  /**
   * A campaign is over.
   *
   * @param runner has its trace
   * @param state in a few words, what the strategy is about
   */
  void finished(CampaignResult result, CampaignRunner runner, Coverage total, String state)
      throws IOException, TargetStartException, InterruptedException;

  /** Whether no further campaign is wanted; any worker may ask. */
  boolean over();
}
