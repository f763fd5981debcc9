package dev.perdure.bench;

import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.llvm.toolchain.Toolchain;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What flushes and fences by the compiler cost beside those that were placed by hand (PMRobust,
 * figures 11 to 13): the indexes of {@code examples/indexes} as they are, and stripped and repaired
 * in each mode, under YCSB-like loads. The variants take turns, so that a noisy machine disturbs
 * all alike; figures are medians of CPU time.
 */
final class FixBenchmark {
  private static final String HAND = "hand";
  private static final List<String> MODES = List.of("base", "opt", "flit");
  private static final String THREADS = "2";
  private static final Pattern COST = Pattern.compile("analysis: ([0-9.]+) s");

  /** An index, and whether its keys have an order. */
  private record Index(String name, boolean ordered) {
    List<String> loads() {
      return ordered ? List.of("a", "b", "c", "e") : List.of("a", "b", "c");
    }
  }

  private static final List<Index> INDEXES =
      List.of(
          new Index("hash", false),
          new Index("lockfree_hash", false),
          new Index("log", false),
          new Index("btree", true),
          new Index("ctree", true),
          new Index("rbtree", true),
          new Index("skiplist", true),
          new Index("radix", true));

  private final Path home;
  private final String perdure;
  private final int rounds;
  private final int keys;
  private final int operations;

  FixBenchmark(Path home, boolean quick) {
    this.home = home;
    this.perdure = home.resolve("perdure").toString();
    this.rounds = quick ? 3 : 9;
    this.keys = quick ? 10_000 : 50_000;
    this.operations = quick ? 100_000 : 400_000;
  }

  void run() throws IOException, InterruptedException {
    try (BenchFolder folder = BenchFolder.create()) {
      Map<String, Double> analysis = build(folder.path());
      times(folder.path());
      counts(folder.path());
      sources(analysis);
    }
  }

  /** Builds all variants of all indexes; returns what the analysis of each index cost. */
  private Map<String, Double> build(Path folder) throws IOException, InterruptedException {
    String clang = Toolchain.find(CacheDirectory.of(System.getenv())).clang().toString();
    Map<String, Double> analysis = new LinkedHashMap<>();
    for (Index index : INDEXES) {
      String source = source(index).toString();
      String include = "-I" + home.resolve("native/include");
      Measured.require(
          folder, List.of(clang, "-O2", "-pthread", include, source, "-o", program(index, HAND)));
      for (String mode : MODES) {
        Measured built =
            Measured.require(
                folder,
                List.of(
                    perdure,
                    "fix",
                    "--verbose",
                    "--strip",
                    "--mode",
                    mode,
                    "-O2",
                    "-pthread",
                    source,
                    "-o",
                    program(index, mode)));
        Matcher cost = COST.matcher(built.output());
        if (mode.equals("opt") && cost.find()) {
          analysis.put(index.name(), Double.parseDouble(cost.group(1)));
        }
      }
    }
    return analysis;
  }

  private void times(Path folder) throws IOException, InterruptedException {
    System.out.printf(
        "CPU time against flushes placed by hand: %,d keys, %,d operations, %s threads, medians of"
            + " %d rounds%n%n",
        keys, operations, THREADS, rounds);
    System.out.println("| index | load | by hand: s | base | opt | flit |");
    System.out.println("| --- | --- | --- | --- | --- | --- |");
    Map<String, List<Double>> ratios = new LinkedHashMap<>();
    for (Index index : INDEXES) {
      for (String load : index.loads()) {
        Map<String, Double> seconds = medians(folder, index, load);
        double hand = seconds.get(HAND);
        StringBuilder row = new StringBuilder();
        for (String mode : MODES) {
          double ratio = seconds.get(mode) / hand;
          ratios.computeIfAbsent(mode, m -> new ArrayList<>()).add(ratio);
          row.append(" %.2f |".formatted(ratio));
        }
        System.out.printf("| %s | %s | %.3f |%s%n", index.name(), load, hand, row);
      }
    }
    StringBuilder row = new StringBuilder();
    for (String mode : MODES) {
      row.append(" %+.1f %% |".formatted(100 * (geometricMean(ratios.get(mode)) - 1)));
    }
    System.out.printf("| geometric mean | | |%s%n", row);
    System.out.println("| PMRobust's, on Optane | | | +11.2 % | +6.4 % | +0.3 % |");
    System.out.println();
  }

  private Map<String, Double> medians(Path folder, Index index, String load)
      throws IOException, InterruptedException {
    Map<String, double[]> seconds = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (String variant : variants()) {
        List<String> command = new ArrayList<>(List.of("./" + program(index, variant)));
        command.addAll(arguments(load, keys, operations, THREADS));
        seconds.computeIfAbsent(variant, v -> new double[rounds])[round] =
            Measured.require(folder, command).ownCpu();
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    seconds.forEach((variant, values) -> medians.put(variant, Measured.median(values)));
    return medians;
  }

  private void counts(Path folder) throws IOException, InterruptedException {
    int counted = operations / 20;
    System.out.printf(
        "Flushes and fences for 100 operations: %,d operations on %,d keys, one thread%n%n",
        counted, counted);
    System.out.println("| index | load | by hand | base | opt | flit | fewest possible |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
    for (Index index : INDEXES) {
      for (String variant : variants()) {
        List<String> build = new ArrayList<>(List.of(perdure, "cc", "-O2", "-pthread"));
        if (!variant.equals(HAND)) {
          build.addAll(List.of("--fix=" + variant, "--strip"));
        }
        build.addAll(List.of(source(index).toString(), "-o", "observed_" + variant));
        Measured.require(folder, build);
      }
      for (String load : index.loads()) {
        StringBuilder row = new StringBuilder();
        FewestPersists fewest = new FewestPersists();
        for (String variant : variants()) {
          record(folder, "./observed_" + variant, arguments(load, counted, counted, "1"));
          ExecutedPersists count = new ExecutedPersists();
          replay(folder, count);
          row.append(share(count.flushes(), count.fences(), counted));
          if (variant.equals(HAND)) {
            replay(folder, fewest);
          }
        }
        row.append(share(fewest.flushes(), fewest.fences(), counted));
        System.out.printf("| %s | %s |%s%n", index.name(), load, row);
      }
    }
    System.out.println();
  }

  private void sources(Map<String, Double> analysis) throws IOException {
    System.out.println("| index | lines | analysis (opt): CPU s | relaxed blocks |");
    System.out.println("| --- | --- | --- | --- |");
    for (Index index : INDEXES) {
      List<String> lines = Files.readAllLines(source(index));
      long relaxed = lines.stream().filter(line -> line.contains("PERDURE_RELAXED_BEGIN")).count();
      System.out.printf(
          "| %s | %d | %.2f | %d |%n",
          index.name(), lines.size(), analysis.getOrDefault(index.name(), Double.NaN), relaxed);
    }
  }

  private void record(Path folder, String program, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                perdure,
                "run",
                "--quiet",
                "--fail-on",
                "never",
                "--detect",
                "flush",
                "--out",
                "run",
                "--pm",
                "pool",
                "--",
                program));
    command.addAll(arguments);
    Measured.require(folder, command);
  }

  private static void replay(Path folder, EventHandler handler) throws IOException {
    try (TraceFile trace = TraceFile.open(folder.resolve("run/trace"))) {
      trace.forEach(handler);
    }
  }

  private Path source(Index index) {
    return home.resolve("examples/indexes").resolve(index.name() + ".c");
  }

  private static String program(Index index, String variant) {
    return index.name() + "_" + variant;
  }

  private static List<String> arguments(String load, int keys, int operations, String threads) {
    return List.of("pool", load, "" + keys, "" + operations, threads);
  }

  private static List<String> variants() {
    List<String> all = new ArrayList<>(List.of(HAND));
    all.addAll(MODES);
    return all;
  }

  private static String share(long flushes, long fences, int operations) {
    return " %.0f, %.0f |".formatted(100.0 * flushes / operations, 100.0 * fences / operations);
  }

  private static double geometricMean(List<Double> ratios) {
    return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(0));
  }
}
