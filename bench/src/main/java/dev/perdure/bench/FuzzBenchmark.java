package dev.perdure.bench;

import dev.perdure.fuzz.input.ByteMutator;
import dev.perdure.fuzz.input.Grammar;
import dev.perdure.fuzz.input.GrammarException;
import dev.perdure.fuzz.input.GrammarReader;
import dev.perdure.fuzz.input.Mutator;
import dev.perdure.fuzz.input.OperationMutator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The search of {@code perdure fuzz} on examples/table, after figures 8, 9 and 10 and table 4 of
 * PMRace, and what following data costs.
 */
final class FuzzBenchmark {
  private static final int OPERATIONS = 400;

  /** What inputs of memcached's protocol begin with, for a key. */
  private static final String COMMANDS =
      "set KEY 0 0 2|11|get KEY|add KEY 0 0 2|12|replace KEY 0 0 2|13|append KEY 0 0 2|14|"
          + "prepend KEY 0 0 2|15|incr KEY 10|decr KEY 11|get KEY|delete KEY|get KEY|";

  private final Path home;
  private final int seeds;
  private final int firstLimit;
  private final int coverageSeconds;
  private final int rounds;

  /** How much of the evening it takes. */
  enum Length {
    QUICK,
    NORMAL,
    LONG
  }

  FuzzBenchmark(Path home, Length length) {
    this.home = home;
    this.seeds = length == Length.QUICK ? 3 : 10;
    this.firstLimit =
        switch (length) {
          case QUICK -> 30;
          case NORMAL -> 20;
          case LONG -> 120;
        };
    this.coverageSeconds =
        switch (length) {
          case QUICK -> 10;
          case NORMAL -> 20;
          case LONG -> 600;
        };
    this.rounds = length == Length.QUICK ? 3 : 7;
  }

  void run() throws IOException, InterruptedException {
    try (BenchFolder folder = BenchFolder.create()) {
      new Programs(folder.path()).measure();
    } catch (GrammarException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The measurements in one folder. */
  private final class Programs {
    private final Path folder;
    private final Path example = home.resolve("examples/table");
    private final Path grammar = example.resolve("table.grammar");

    Programs(Path folder) {
      this.folder = folder;
    }

    void measure() throws IOException, InterruptedException, GrammarException {
      require("cc", "-O1", "-g", "-pthread", example.resolve("table.c").toString(), "-o", "table");
      firstInconsistency();
      coverage();
      validOperations();
      executions();
      slowdown();
    }

    private Measured require(String... words) throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of(home.resolve("perdure").toString()));
      command.addAll(List.of(words));
      return Measured.require(folder, command);
    }

    private Map<String, String> search(int seconds, long seed, Path inputs, String... options)
        throws IOException, InterruptedException {
      Path out = folder.resolve("run");
      Measured.require(folder, List.of("rm", "-rf", out.toString()));
      List<String> words =
          new ArrayList<>(
              List.of("fuzz", "--quiet", "--fail-on", "never", "--minimise", "no", "--pm", "pool"));
      words.addAll(List.of("--out", out.toString(), "--grammar", grammar.toString()));
      words.addAll(List.of("--seeds", inputs.toString(), "--seed", "" + seed));
      words.addAll(List.of("--time", seconds + "s"));
      words.addAll(List.of(options));
      words.addAll(List.of("--", "./table", "pool", "@@", "{threads}"));
      require(words.toArray(String[]::new));
      Map<String, String> figures = new HashMap<>();
      for (String line : Files.readAllLines(out.resolve("stats"))) {
        String[] parts = line.split(" : ", 2);
        figures.put(parts[0], parts[1]);
      }
      return figures;
    }

    /** Figure 8. */
    private void firstInconsistency() throws IOException, InterruptedException {
      System.out.printf(
          "Until the first inter-thread inconsistency (figure 8): %d seeds each, at most %d s%n%n",
          seeds, firstLimit);
      System.out.println(
          "| strategy | found | seconds, median | executions, median | all executions |");
      System.out.println("| --- | --- | --- | --- | --- |");
      Path inputs = Files.createDirectories(folder.resolve("growing"));
      Files.write(inputs.resolve("puts"), operations(48, 1, true));
      Map<String, List<Map<String, String>>> results = new TreeMap<>();
      for (int seed = 1; seed <= seeds; seed++) {
        for (String strategy : List.of("pmaware", "delay", "pct")) {
          results
              .computeIfAbsent(strategy, s -> new ArrayList<>())
              .add(
                  search(firstLimit, seed, inputs, "--strategy", strategy, "--stop-at", "harmful"));
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
          seconds[i] = has ? number(runs.get(i), "first_effect_seconds") : firstLimit;
          executions[i] = number(runs.get(i), has ? "first_effect_campaign" : "campaigns");
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

    /** Figure 9. */
    private void coverage() throws IOException, InterruptedException {
      System.out.printf(
          "%nCoverage with and without tiers (figure 9): %d s, seed 1%n%n", coverageSeconds);
      System.out.println(
          "| tiers | executions | alias pairs: a quarter of the time | half | all | branches |");
      System.out.println("| --- | --- | --- | --- | --- | --- |");
      for (String tiers :
          List.of("execution,interleaving,seed", "execution,seed", "execution,interleaving")) {
        Map<String, String> end =
            search(coverageSeconds, 1, example.resolve("seeds"), "--tiers", tiers);
        List<String> rows = Files.readAllLines(folder.resolve("run/plot"));
        System.out.printf(
            "| %s | %s | %s | %s | %s | %s |%n",
            tiers,
            end.get("campaigns"),
            pairsAt(rows, coverageSeconds / 4.0),
            pairsAt(rows, coverageSeconds / 2.0),
            end.get("alias_pairs"),
            end.get("branches"));
      }
    }

    private static String pairsAt(List<String> rows, double seconds) {
      String pairs = "0";
      for (String row : rows) {
        String[] columns = row.split(" ");
        if (Double.parseDouble(columns[0]) <= seconds) {
          pairs = columns[3];
        }
      }
      return pairs;
    }

    /** Table 4. */
    private void validOperations() throws IOException, GrammarException {
      System.out.printf("%nOperations of 100 mutated inputs, memcached's protocol (table 4)%n%n");
      Grammar protocol = GrammarReader.read(home.resolve("grammars/memcached.grammar"));
      Map<String, int[]> counts = new TreeMap<>();
      List<Mutator> mutators = List.of(new OperationMutator(protocol), new ByteMutator());
      for (int m = 0; m < mutators.size(); m++) {
        for (byte[] input : mutated(mutators.get(m))) {
          int column = m;
          protocol
              .count(input)
              .forEach(
                  (name, n) ->
                      counts.computeIfAbsent(name, k -> new int[mutators.size()])[column] += n);
        }
      }
      int[] invalid = counts.computeIfAbsent("", k -> new int[mutators.size()]);
      counts.remove("");
      System.out.println("| operation | our mutator | bytes |");
      System.out.println("| --- | --- | --- |");
      counts.forEach((name, n) -> System.out.printf("| %s | %d | %d |%n", name, n[0], n[1]));
      System.out.printf("| invalid | %d | %d |%n", invalid[0], invalid[1]);
      System.out.printf(
          "| valid | %s | %s |%n", share(counts, invalid, 0), share(counts, invalid, 1));
    }

    private static String share(Map<String, int[]> valid, int[] invalid, int column) {
      int sum = valid.values().stream().mapToInt(n -> n[column]).sum();
      return "%.1f %%".formatted(100.0 * sum / (sum + invalid[column]));
    }

    /** A hundred inputs, each of which has gone through some rounds of mutation. */
    private static List<byte[]> mutated(Mutator mutator) {
      SplittableRandom random = new SplittableRandom(1);
      List<byte[]> corpus = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String key = "k" + i;
        corpus.add(
            COMMANDS.replace("KEY", key).replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII));
      }
      List<byte[]> inputs = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        byte[] input = corpus.get(i % corpus.size());
        for (int round = 0; round < 5; round++) {
          input = mutator.mutate(input, corpus, random);
        }
        inputs.add(input);
      }
      return inputs;
    }

    /** Figure 10. */
    private void executions() throws IOException, InterruptedException {
      System.out.printf("%nExecutions/s, inputs of %d operations (figure 10)%n%n", OPERATIONS);
      System.out.println("| pool | workers | executions/s |");
      System.out.println("| --- | --- | --- |");
      Path inputs = Files.createDirectories(folder.resolve("inputs"));
      Files.write(inputs.resolve("many"), operations(OPERATIONS, 7, false));
      for (boolean checkpoint : List.of(true, false)) {
        Files.deleteIfExists(folder.resolve("pool"));
        if (checkpoint) {
          Measured.require(folder, List.of("./table", "pool", "init"));
        }
        for (String workers : List.of("1", "2")) {
          Map<String, String> figures =
              search(10, 1, inputs, "--tiers", "execution", "--workers", workers);
          System.out.printf(
              "| %s | %s | %s |%n",
              checkpoint ? "initialised once, copied" : "made by each execution",
              workers,
              figures.get("campaigns_per_second"));
        }
      }
      Files.deleteIfExists(folder.resolve("pool"));
    }

    /** CPU time of the program with data followed against the program that is recorded only. */
    private void slowdown() throws IOException, InterruptedException {
      String source = home.resolve("bench/src/main/native/hashtable.c").toString();
      require("cc", "-O2", "-g", "-pthread", source, "-o", "hashtable");
      double[] recorded = new double[rounds];
      double[] followed = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        recorded[i] = hashtable("observed");
        followed[i] = hashtable("observed,taint");
      }
      double[] ratios = new double[rounds];
      Arrays.setAll(ratios, i -> followed[i] / recorded[i]);
      System.out.printf(
          "%nFollowing data, PM hash table, 4 threads, 100000 operations, CPU time of the program%n%n");
      System.out.println("| recorded only | data followed | slowdown, median of rounds | wanted |");
      System.out.println("| --- | --- | --- | --- |");
      System.out.printf(
          "| %.2f s | %.2f s | %.2f | 3 |%n",
          Measured.median(recorded), Measured.median(followed), Measured.median(ratios));
    }

    private double hashtable(String detectors) throws IOException, InterruptedException {
      Files.deleteIfExists(folder.resolve("table-pool"));
      return require(
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

    private static byte[] operations(int count, long seed, boolean putsOnly) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < count; i++) {
        int key = random.nextInt(256);
        switch (putsOnly ? 0 : random.nextInt(4)) {
          case 0, 1 -> text.append("put %d %d\n".formatted(key, i + 1));
          case 2 -> text.append("get %d\n".formatted(key));
          default -> text.append("update %d %d\n".formatted(key, i + 1));
        }
      }
      return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static double number(Map<String, String> figures, String name) {
      return Double.parseDouble(figures.get(name));
    }
  }
}
