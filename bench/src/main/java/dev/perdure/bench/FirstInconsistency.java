package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figure 8: until the first durable effect of another thread's unpersisted data. */
final class FirstInconsistency {
  private final TableSearches searches;
  private final int seeds;
  private final int firstLimit;

  FirstInconsistency(TableSearches searches, int seeds, int firstLimit) {
    this.searches = searches;
    this.seeds = seeds;
    this.firstLimit = firstLimit;
  }

  void measure() throws IOException, InterruptedException {
    System.out.printf(
        "Until the first inter-thread inconsistency (figure 8): %d seeds each, at most %d s%n%n",
        seeds, firstLimit);
    System.out.println(
        "| strategy | found | seconds, median | executions, median | all executions |");
    System.out.println("| --- | --- | --- | --- | --- |");
    Path inputs = searches.inputs("growing", 48, 1, true);
    Map<String, List<Map<String, String>>> results = new TreeMap<>();
    for (int seed = 1; seed <= seeds; seed++) {
      for (String strategy : List.of("pmaware", "delay", "pct")) {
        results
            .computeIfAbsent(strategy, s -> new ArrayList<>())
            .add(
                searches.search(
                    firstLimit, seed, inputs, "--strategy", strategy, "--stop-at", "harmful"));
      }
    }
    for (String strategy : List.of("pmaware", "delay", "pct")) {
      List<Map<String, String>> runs = results.get(strategy);
      double[] seconds = new double[seeds];
      double[] executions = new double[seeds];
      List<String> all = new ArrayList<>();
      int found = 0;
      for (int i = 0; i < seeds; i++) {
        boolean has = runs.get(i).containsKey("first_effect_seconds");
        found += has ? 1 : 0;
        seconds[i] = has ? TableSearches.number(runs.get(i), "first_effect_seconds") : firstLimit;
        executions[i] =
            TableSearches.number(runs.get(i), has ? "first_effect_campaign" : "campaigns");
        all.add((has ? "" : ">") + (int) executions[i]);
      }
      System.out.printf(
          "| %s | %d of %d | %s%.1f | %.0f | %s |%n",
          strategy,
          found,
          seeds,
          found * 2 > seeds ? "" : ">",
          Measured.median(seconds),
          Measured.median(executions),
          String.join(" ", all));
    }
  }
}
