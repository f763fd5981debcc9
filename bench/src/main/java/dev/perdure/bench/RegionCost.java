package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What regions cost: the hash table of the speed benchmark, recorded with and without them. */
final class RegionCost {
  private static final String OPERATIONS = "250000";

  private final Path home;
  private final Path folder;
  private final int threads;

  RegionCost(Path home, Path folder, int threads) {
    this.home = home;
    this.folder = folder;
    this.threads = threads;
  }

  /** Prints the table; runs with and without regions alternate. */
  void print(int rounds) throws IOException, InterruptedException {
    String source = home.resolve("bench/src/main/native/hashtable.c").toString();
    Measured.require(
        folder,
        List.of(
            home.resolve("perdure").toString(),
            "cc",
            "-O2",
            "-g",
            "-pthread",
            source,
            "-o",
            "table"));
    double[] withCpu = new double[rounds];
    double[] withoutCpu = new double[rounds];
    double[] withWall = new double[rounds];
    double[] withoutWall = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      Measured without = once("lockset,hb,observed,flush");
      Measured with = once("lockset,regions,hb,observed,flush");
      withCpu[i] = with.ownCpu();
      withoutCpu[i] = without.ownCpu();
      withWall[i] = with.wallSeconds();
      withoutWall[i] = without.wallSeconds();
    }
    System.out.printf(
        "Cost of regions: a hash table, %d threads, %s operations, %d rounds, medians%n%n",
        threads, OPERATIONS, rounds);
    System.out.println("| what | without | with | ratio | wanted |");
    System.out.println("| --- | --- | --- | --- | --- |");
    row("CPU s of the recorded program", withoutCpu, withCpu, "at most 1.30");
    row("perdure run, end to end: wall s", withoutWall, withWall, "");
  }

  private Measured once(String detectors) throws IOException, InterruptedException {
    Files.deleteIfExists(folder.resolve("pool"));
    List<String> command =
        new ArrayList<>(List.of(home.resolve("perdure").toString(), "run", "--quiet"));
    command.addAll(List.of("--fail-on", "never", "--detect", detectors, "--out", "run"));
    command.addAll(List.of("--pm", "pool", "--", "./table", "pool", "" + threads, OPERATIONS));
    return Measured.require(folder, command);
  }

  private static void row(String what, double[] without, double[] with, String wanted) {
    System.out.printf(
        "| %s | %.2f | %.2f | %.2f | %s |%n",
        what,
        Measured.median(without),
        Measured.median(with),
        Measured.median(with) / Measured.median(without),
        wanted);
  }
}
