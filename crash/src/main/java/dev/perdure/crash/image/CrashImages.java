package dev.perdure.crash.image;

import dev.perdure.crash.memory.OpenStores;
import dev.perdure.crash.memory.StoreUnit;
import dev.perdure.crash.point.FailurePoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Chooses the images of a failure point. Where all of them are asked for and there are too many,
 * these are taken: each choice of one line while the other lines have none of their stores, each
 * while they have all, and then random ones.
 */
public final class CrashImages {
  private final Set<ImageKind> kinds;
  private final int most;
  private final long seed;
  private long leftOut;

  /**
   * @param most images of one point
   * @param seed of the random choices
   */
  public CrashImages(Set<ImageKind> kinds, int most, long seed) {
    this.kinds = EnumSet.copyOf(kinds);
    this.most = most;
    this.seed = seed;
  }

  /** How many possible images were not taken so far, at most the largest number. */
  public long leftOut() {
    return leftOut;
  }

  /** The images of a point; contents that are the same come once. */
  public List<CrashImage> of(FailurePoint point) {
    CrashImage latest = CrashImage.latest(point);
    CrashImage persisted = CrashImage.persisted(point);
    boolean same = point.open().isEmpty() || latest.contentHash() == persisted.contentHash();
    List<CrashImage> images = new ArrayList<>();
    if (kinds.contains(ImageKind.LATEST) || kinds.contains(ImageKind.ALL)) {
      images.add(latest);
    }
    if ((kinds.contains(ImageKind.PERSISTED) || kinds.contains(ImageKind.ALL))
        && (images.isEmpty() || !same)) {
      images.add(persisted);
    }
    if (kinds.contains(ImageKind.ALL)) {
      images.addAll(between(point));
    }
    return images;
  }

  private List<CrashImage> between(FailurePoint point) {
    List<OpenStores> lines = new ArrayList<>(point.open());
    lines.sort((a, b) -> Long.compare(a.address(), b.address()));
    long[] counts = lines.stream().mapToLong(LineChoice::count).toArray();
    long all = 1;
    for (long count : counts) {
      all = Math.multiplyHigh(all, count) == 0 && all * count > 0 ? all * count : Long.MAX_VALUE;
    }
    Set<List<Long>> choices = new LinkedHashSet<>();
    if (all <= most) {
      enumerate(counts, choices);
    } else {
      sample(counts, point.index(), choices);
    }
    choices.remove(number(counts, true));
    choices.remove(number(counts, false));
    leftOut += Math.max(0, all == Long.MAX_VALUE ? all - leftOut : all - choices.size() - 2);
    List<CrashImage> images = new ArrayList<>();
    for (List<Long> choice : choices) {
      images.add(CrashImage.mixed(images.size() + 1, point, units(lines, choice)));
    }
    return images;
  }

  private static List<Long> number(long[] counts, boolean last) {
    return Arrays.stream(counts).mapToObj(c -> last ? c - 1 : 0L).toList();
  }

  private static void enumerate(long[] counts, Set<List<Long>> choices) {
    long[] at = new long[counts.length];
    boolean more = true;
    while (more) {
      choices.add(Arrays.stream(at).boxed().toList());
      int i = 0;
      while (i < at.length && ++at[i] == counts[i]) {
        at[i++] = 0;
      }
      more = i < at.length;
    }
  }

  private void sample(long[] counts, int index, Set<List<Long>> choices) {
    for (boolean others : new boolean[] {false, true}) {
      for (int i = 0; i < counts.length; i++) {
        List<Long> rest = number(counts, others);
        for (long n = 0; n < counts[i] && choices.size() < most; n++) {
          List<Long> choice = new ArrayList<>(rest);
          choice.set(i, others ? n : counts[i] - 1 - n);
          choices.add(choice);
        }
      }
    }
    Random random = new Random(seed * 31 + index);
    for (int tries = 0; choices.size() < most && tries < 2 * most; tries++) {
      choices.add(Arrays.stream(counts).mapToObj(c -> random.nextLong(c)).toList());
    }
  }

  private static Map<Long, List<StoreUnit>> units(List<OpenStores> lines, List<Long> choice) {
    Map<Long, List<StoreUnit>> units = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      LineChoice chosen = LineChoice.numbered(lines.get(i), choice.get(i));
      units.put(lines.get(i).address(), chosen.chosen(lines.get(i)));
    }
    return units;
  }
}
