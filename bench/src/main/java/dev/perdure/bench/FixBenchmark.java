package dev.perdure.bench;

import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What flushes and fences by the compiler cost beside those that were placed by hand (PMRobust,
 * figures 11 to 13): the indexes of {@code examples/indexes} as they are, and stripped and repaired
 * in each mode, under YCSB-like loads. Once with more data than the caches hold, as in the paper,
 * and once with so little that flushes are all that is waited for.
 */
final class FixBenchmark {
  private static final Pattern COST = Pattern.compile("analysis: ([0-9.]+) s");

  private final Path home;
  private final String perdure;
  private final boolean quick;
  private final List<IndexExample> indexes;

  FixBenchmark(Path home, boolean quick, List<IndexExample> indexes) {
    this.home = home;
    this.perdure = home.resolve("perdure").toString();
    this.quick = quick;
    this.indexes = indexes;
  }

  void run() throws IOException, InterruptedException {
    try (BenchFolder folder = BenchFolder.create()) {
      Map<String, Double> analysis = build(folder.path());
      if (!quick) {
        new FixTimes(folder.path(), 3, 500_000, 500_000).print("Beyond the caches", indexes);
      }
      new FixTimes(folder.path(), quick ? 1 : 3, 10_000, 100_000).print("In the caches", indexes);
      new FixCounts(home, folder.path(), quick ? 1_000 : 5_000).print(indexes);
      sources(analysis);
    }
  }

  /** Builds all variants of all indexes; returns what the analysis of each index cost. */
  private Map<String, Double> build(Path folder) throws IOException, InterruptedException {
    String clang = Toolchain.find(CacheDirectory.of(System.getenv())).clang().toString();
    Map<String, Double> analysis = new LinkedHashMap<>();
    for (IndexExample index : indexes) {
      String source = index.source(home).toString();
      String include = "-I" + home.resolve("native/include");
      String byHand = index.program(IndexExample.HAND);
      Measured.require(folder, List.of(clang, "-O2", "-pthread", include, source, "-o", byHand));
      for (String mode : IndexExample.MODES) {
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
                    index.program(mode)));
        Matcher cost = COST.matcher(built.output());
        if (mode.equals("opt") && cost.find()) {
          analysis.put(index.name(), Double.parseDouble(cost.group(1)));
        }
      }
    }
    return analysis;
  }

  private void sources(Map<String, Double> analysis) throws IOException {
    System.out.println("| index | lines | analysis (opt): CPU s | relaxed blocks |");
    System.out.println("| --- | --- | --- | --- |");
    for (IndexExample index : indexes) {
      List<String> lines = Files.readAllLines(index.source(home));
      long relaxed = lines.stream().filter(line -> line.contains("PERDURE_RELAXED_BEGIN")).count();
      System.out.printf(
          "| %s | %d | %.2f | %d |%n",
          index.name(), lines.size(), analysis.getOrDefault(index.name(), Double.NaN), relaxed);
    }
  }
}
