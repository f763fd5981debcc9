package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.input.Mutator;
import dev.perdure.fuzz.interleaving.Strategies;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the search may do.
 *
 * @param seeds the inputs to begin with; one empty input for a program that takes none
 * @param mutator how further inputs are made; empty for a program that takes none
 * @param time how long campaigns are started
 * @param interleavings whether to explore them, or run each input as it comes
 */
public record FuzzPlan(
    List<byte[]> seeds,
    Optional<Mutator> mutator,
    Strategies strategy,
    Duration writerWait,
    Duration time,
    boolean interleavings,
    long seed) {

  public FuzzPlan {
    seeds = List.copyOf(seeds);
  }
}
