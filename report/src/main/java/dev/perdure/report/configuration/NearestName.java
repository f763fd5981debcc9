package dev.perdure.report.configuration;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that a mistyped one is nearest to, by edit distance. */
public final class NearestName {
  private NearestName() {}

  /** The nearest of the known names; empty if there is none. */
  public static Optional<String> of(String typed, Collection<String> known) {
    return known.stream()
        .sorted()
        .min(
            Comparator.comparingInt(
                (String name) -> distance(typed.toLowerCase(Locale.ROOT), name)));
  }

  private static int distance(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(change, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
