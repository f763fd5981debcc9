package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What regions cost: the hash table of the speed benchmark, recorded without them, with them, and
 * with announced starts.
 */
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
    double[][] cpu = new double[3][rounds];
    double[][] wall = new double[3][rounds];
    for (int i = 0; i < rounds; i++) {
      Measured[] measured = {
        once("lockset,hb,observed,flush", "lookback"),
        once("lockset,regions,hb,observed,flush", "lookback"),
        once("lockset,regions,hb,observed,flush", "static")
      };
      for (int how = 0; how < measured.length; how++) {
        cpu[how][i] = measured[how].ownCpu();
        wall[how][i] = measured[how].wallSeconds();
      }
    }
    System.out.printf(
        "Cost of regions: a hash table, %d threads, %s operations, %d rounds, medians%n%n",
        threads, OPERATIONS, rounds);
    System.out.println("| what | without | with | ratio | static starts | ratio | wanted |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
    row("CPU s of the recorded program", cpu, "at most 1.30");
    row("perdure run, end to end: wall s", wall, "");
  }

  private Measured once(String detectors, String starts) throws IOException, InterruptedException {
    Files.deleteIfExists(folder.resolve("pool"));
    List<String> command =
        new ArrayList<>(List.of(home.resolve("perdure").toString(), "run", "--quiet"));
    command.addAll(List.of("--fail-on", "never", "--detect", detectors, "--out", "run"));
    command.addAll(List.of("--starts", starts));
    command.addAll(List.of("--pm", "pool", "--", "./table", "pool", "" + threads, OPERATIONS));
    return Measured.require(folder, command);
  }

  private static void row(String what, double[][] seconds, String wanted) {
    double without = Measured.median(seconds[0]);
    double with = Measured.median(seconds[1]);
    double announced = Measured.median(seconds[2]);
    System.out.printf(
        "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %s |%n",
        what, without, with, with / without, announced, announced / without, wanted);
  }
}
