package dev.perdure.detect.finding;

import dev.perdure.model.finding.Evidence;
import java.util.EnumSet;
import java.util.Set;

/** Sets of evidence as ints: the bit of each is its place in the enumeration. */
public final class EvidenceBits {
  public static final int LOCKSET = 1 << Evidence.LOCKSET.ordinal();
  public static final int REGION_OVERLAP = 1 << Evidence.REGION_OVERLAP.ordinal();
  public static final int HAPPENS_BEFORE = 1 << Evidence.HAPPENS_BEFORE.ordinal();
  public static final int OBSERVED_READ = 1 << Evidence.OBSERVED_READ.ordinal();
  public static final int DURABLE_EFFECT = 1 << Evidence.DURABLE_EFFECT.ordinal();

  private EvidenceBits() {}

  static Set<Evidence> toSet(int bits) {
    Set<Evidence> set = EnumSet.noneOf(Evidence.class);
    for (Evidence e : Evidence.values()) {
      if ((bits & 1 << e.ordinal()) != 0) {
        set.add(e);
      }
    }
    return set;
  }
}
