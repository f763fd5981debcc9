package dev.perdure.fuzz.coverage;

import java.util.BitSet;

/** What all campaigns together have covered. */
public final class Coverage {
  private final BitSet branches = new BitSet();
  private final BitSet pairs = new BitSet();

  /** What a campaign added. */
  public record Gain(int branches, int pairs) {
    public boolean any() {
      return branches > 0 || pairs > 0;
    }
  }

  /** Adds a campaign's coverage. */
  public Gain add(BitSet campaignBranches, BitSet campaignPairs) {
    return new Gain(gained(branches, campaignBranches), gained(pairs, campaignPairs));
  }

  private static int gained(BitSet all, BitSet some) {
    int before = all.cardinality();
    all.or(some);
    return all.cardinality() - before;
  }

  public int branches() {
    return branches.cardinality();
  }

  public int pairs() {
    return pairs.cardinality();
  }
}
