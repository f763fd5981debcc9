package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CPU time of repaired indexes beside the same with flushes placed by hand. The variants take
 * turns, so that a noisy machine disturbs all alike; figures are medians.
 */
final class FixTimes {
  private static final int THREADS = 2;
  private static final Pattern LOAD = Pattern.compile("load (.) wall [0-9.]+ cpu ([0-9.]+)");

  private final Path folder;
  private final int rounds;
  private final int keys;
  private final int operations;

  FixTimes(Path folder, int rounds, int keys, int operations) {
    this.folder = folder;
    this.rounds = rounds;
    this.keys = keys;
    this.operations = operations;
  }

  void print(String title, List<IndexExample> indexes) throws IOException, InterruptedException {
    System.out.printf(
        "%s: CPU time against flushes placed by hand; %,d keys, %,d operations a load (scans: a"
            + " tenth), %d threads, medians of %d rounds%n%n",
        title, keys, operations, THREADS, rounds);
    System.out.println("| index | load | by hand: s | base | opt | flit |");
    System.out.println("| --- | --- | --- | --- | --- | --- |");
    Map<String, List<Double>> ratios = new LinkedHashMap<>();
    for (IndexExample index : indexes) {
      Map<String, Map<Character, double[]>> seconds = measure(index);
      for (char load : index.loads().toCharArray()) {
        double hand = Measured.median(seconds.get(IndexExample.HAND).get(load));
        StringBuilder row = new StringBuilder();
        for (String mode : IndexExample.MODES) {
          double ratio = Measured.median(seconds.get(mode).get(load)) / hand;
          ratios.computeIfAbsent(mode, m -> new ArrayList<>()).add(ratio);
          row.append(" %.2f |".formatted(ratio));
        }
        System.out.printf("| %s | %s | %.3f |%s%n", index.name(), load, hand, row);
      }
    }
    StringBuilder row = new StringBuilder();
    for (String mode : IndexExample.MODES) {
      row.append(" %+.1f %% |".formatted(100 * (geometricMean(ratios.get(mode)) - 1)));
    }
    System.out.printf("| geometric mean | | |%s%n", row);
    System.out.println("| PMRobust's, on Optane | | | +11.2 % | +6.4 % | +0.3 % |");
    System.out.println();
  }

  /** For each variant and load the seconds of all rounds. */
  private Map<String, Map<Character, double[]>> measure(IndexExample index)
      throws IOException, InterruptedException {
    Map<String, Map<Character, double[]>> seconds = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (String variant : IndexExample.variants()) {
        List<String> command = new ArrayList<>(List.of("./" + index.program(variant)));
        command.addAll(IndexExample.arguments(index.loads(), keys, operations, THREADS));
        Matcher load = LOAD.matcher(Measured.require(folder, command).output());
        while (load.find()) {
          seconds.computeIfAbsent(variant, v -> new LinkedHashMap<>())
                  .computeIfAbsent(load.group(1).charAt(0), l -> new double[rounds])[round] =
              Double.parseDouble(load.group(2));
        }
      }
    }
    return seconds;
  }

  private static double geometricMean(List<Double> ratios) {
    return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(0));
  }
}
