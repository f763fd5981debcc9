package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.input.Mutator;
import dev.perdure.fuzz.interleaving.Strategies;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the search may do.
 *
 * @param seeds the inputs to begin with; one empty input for a program that takes none
 * @param mutator how further inputs are made; empty for a program that takes none
 * @param time how long campaigns are started
 * @param tiers without the seed tier the inputs are those that it begins with; without the
 *     interleaving tier threads run as they like
 */
public record FuzzPlan(
    List<byte[]> seeds,
    Optional<Mutator> mutator,
    Strategies strategy,
    Duration writerWait,
    Duration time,
    Set<Tier> tiers,
    long seed) {

  public FuzzPlan {
    seeds = List.copyOf(seeds);
    tiers = Set.copyOf(tiers);
  }
}
