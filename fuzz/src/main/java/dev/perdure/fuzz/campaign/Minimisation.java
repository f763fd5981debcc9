package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.input.Mutator;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Takes parts out of the input of a campaign, large ones first, as long as it shows the same. Only
 * what a campaign did show is kept, so that chance can make the result longer, never wrong.
 */
public final class Minimisation {
  private final CampaignRunner runner;
  private final Mutator mutator;
  private final BooleanSupplier over;

  /**
   * @param over whether to make do with what is there
   */
  public Minimisation(CampaignRunner runner, Mutator mutator, BooleanSupplier over) {
    this.runner = runner;
    this.mutator = mutator;
    this.over = over;
  }

  /** A campaign with the smallest input that was found to show what the given one did. */
  public Campaign of(Campaign campaign, Predicate<CampaignResult> shows)
      throws IOException, TargetStartException, InterruptedException {
    List<byte[]> parts = mutator.parts(campaign.input());
    for (int size = (parts.size() + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      for (int at = 0; at < parts.size() && parts.size() > 1; ) {
        List<byte[]> fewer = new ArrayList<>(parts);
        fewer.subList(at, Math.min(at + size, parts.size())).clear();
        if (over.getAsBoolean()) {
          return with(campaign, parts);
        }
        if (!fewer.isEmpty() && shows.test(runner.run(with(campaign, fewer)))) {
          parts = fewer;
        } else {
          at += size;
        }
      }
    }
    return with(campaign, parts);
  }

  private static Campaign with(Campaign campaign, List<byte[]> parts) {
    int length = parts.stream().mapToInt(p -> p.length).sum();
    byte[] input = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, input, at, part.length);
      at += part.length;
    }
    return new Campaign(campaign.number(), input, campaign.schedule(), campaign.tier());
  }
}
