package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;

/** CPU time of a program with its data followed against the program that is recorded only. */
final class FollowedData {
  private final TableSearches searches;
  private final int rounds;

  FollowedData(TableSearches searches, int rounds) {
    this.searches = searches;
    this.rounds = rounds;
  }

  void measure() throws IOException, InterruptedException {
    String source = searches.home().resolve("bench/src/main/native/hashtable.c").toString();
    searches.require("cc", "-O2", "-g", "-pthread", source, "-o", "hashtable");
    double[] recorded = new double[rounds];
    double[] followed = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      recorded[i] = hashtable("observed");
      followed[i] = hashtable("observed,taint");
    }
    double[] ratios = new double[rounds];
    Arrays.setAll(ratios, i -> followed[i] / recorded[i]);
    System.out.printf(
        "Following data, PM hash table, 4 threads, 100000 operations, CPU time of the program%n%n");
    System.out.println("| recorded only | data followed | slowdown, median of rounds | wanted |");
    System.out.println("| --- | --- | --- | --- |");
    System.out.printf(
        "| %.2f s | %.2f s | %.2f | 3 |%n",
        Measured.median(recorded), Measured.median(followed), Measured.median(ratios));
  }

  private double hashtable(String detectors) throws IOException, InterruptedException {
    Files.deleteIfExists(searches.folder().resolve("table-pool"));
    return searches
        .require(
            "run",
            "--quiet",
            "--fail-on",
            "never",
            "--out",
            "run",
            "--detect",
            detectors,
            "--pm",
            "table-pool",
            "--",
            "./hashtable",
            "table-pool",
            "4",
            "100000")
        .ownCpu();
  }
}
