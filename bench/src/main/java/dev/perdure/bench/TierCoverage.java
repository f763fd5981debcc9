package dev.perdure.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Figure 9: coverage with and without tiers. */
final class TierCoverage {
  private static final List<String> TIERS =
      List.of("execution,interleaving,seed", "execution,seed", "execution,interleaving");

  private final TableSearches searches;
  private final int seeds;
  private final int seconds;

  /** What a search came to; pairs by a quarter of the time, half of it, and all. */
  private record Result(double[] figures) {
    static final int COUNT = 6;

    static Result of(Map<String, String> end, List<String> plot, int seconds) {
      return new Result(
          new double[] {
            TableSearches.number(end, "campaigns"),
            pairsAt(plot, seconds / 4.0),
            pairsAt(plot, seconds / 2.0),
            TableSearches.number(end, "alias_pairs"),
            TableSearches.number(end, "branches"),
            TableSearches.number(end, "findings_harmful")
          });
    }

    private static double pairsAt(List<String> rows, double seconds) {
      double pairs = 0;
      for (String row : rows) {
        String[] columns = row.split(" ");
        if (Double.parseDouble(columns[0]) <= seconds) {
          pairs = Double.parseDouble(columns[3]);
        }
      }
      return pairs;
    }
  }

  TierCoverage(TableSearches searches, int seeds, int seconds) {
    this.searches = searches;
    this.seeds = seeds;
    this.seconds = seconds;
  }

  void measure() throws IOException, InterruptedException {
    System.out.printf(
        "Coverage with and without tiers (figure 9): %d s, medians of %d seeds, in turn%n%n",
        seconds, seeds);
    System.out.println(
        "| tiers | executions | alias pairs: a quarter of the time | half | all | branches | races"
            + " with effects | pairs of each seed |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
    Result[][] results = new Result[TIERS.size()][seeds];
    for (int seed = 1; seed <= seeds; seed++) {
      for (int t = 0; t < TIERS.size(); t++) {
        Map<String, String> end =
            searches.search(seconds, seed, searches.seeds(), "--tiers", TIERS.get(t));
        results[t][seed - 1] = Result.of(end, searches.plot(), seconds);
      }
    }
    for (int t = 0; t < TIERS.size(); t++) {
      System.out.println(row(TIERS.get(t), results[t]));
    }
  }

  private static String row(String tiers, Result[] results) {
    StringBuilder row = new StringBuilder("| ").append(tiers);
    for (int i = 0; i < Result.COUNT; i++) {
      int column = i;
      double[] values = List.of(results).stream().mapToDouble(r -> r.figures()[column]).toArray();
      row.append(" | %.0f".formatted(Measured.median(values)));
    }
    row.append(" |");
    for (Result result : results) {
      row.append(" %.0f".formatted(result.figures()[3]));
    }
    return row.append(" |").toString();
  }
}
