package dev.perdure.bench;

import dev.perdure.detect.Detection;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.llvm.toolchain.Toolchain;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A PM hash table of 64K buckets, 8 threads, half puts with flush and fence: native, recorded, and
 * under all detectors. Native and observed runs alternate, so that a noisy machine disturbs both
 * alike; figures are medians.
 */
final class SpeedBenchmark {
  private static final int THREADS = 8;

  /** Passes over the trace before the detectors are all compiled. */
  private static final int WARM_UP = 5;

  private final Path home;
  private final String operations;
  private final int rounds;

  SpeedBenchmark(Path home, boolean quick) {
    this.home = home;
    this.operations = quick ? "250000" : "1000000";
    this.rounds = quick ? 3 : 7;
  }

  void run() throws IOException, InterruptedException {
    try (BenchFolder folder = BenchFolder.create()) {
      measure(folder.path());
    }
  }

  private void measure(Path folder) throws IOException, InterruptedException {
    String perdure = home.resolve("perdure").toString();
    String source = home.resolve("bench/src/main/native/hashtable.c").toString();
    String clang = Toolchain.find(CacheDirectory.of(System.getenv())).clang().toString();
    Measured.require(folder, List.of(clang, "-O2", "-g", "-pthread", source, "-o", "native"));
    Measured.require(
        folder, List.of(perdure, "cc", "-O2", "-g", "-pthread", source, "-o", "observed"));

    double[] nativeCpu = new double[rounds];
    double[] nativeWall = new double[rounds];
    double[] recordedCpu = new double[rounds];
    double[] endToEnd = new double[rounds];
    double[] nativeWhole = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      Files.deleteIfExists(folder.resolve("pool"));
      Measured plain =
          Measured.require(folder, List.of("./native", "pool", "" + THREADS, operations));
      Files.deleteIfExists(folder.resolve("pool"));
      Measured observed =
          Measured.require(
              folder,
              List.of(
                  perdure,
                  "run",
                  "--quiet",
                  "--fail-on",
                  "never",
                  "--out",
                  "run",
                  "--pm",
                  "pool",
                  "--",
                  "./observed",
                  "pool",
                  "" + THREADS,
                  operations));
      nativeCpu[i] = plain.ownCpu();
      nativeWall[i] = plain.ownWall();
      nativeWhole[i] = plain.wallSeconds();
      recordedCpu[i] = observed.ownCpu();
      endToEnd[i] = observed.wallSeconds();
    }
    double[] checks = new double[rounds];
    Path fifty = home.resolve("bench/src/main/native/fifty.c");
    for (int i = 0; i < rounds; i++) {
      Files.deleteIfExists(folder.resolve("small"));
      checks[i] =
          Measured.require(
                  folder,
                  List.of(
                      perdure,
                      "check",
                      fifty.toString(),
                      "--quiet",
                      "--fail-on",
                      "never",
                      "--out",
                      "check",
                      "--pm",
                      "small",
                      "--",
                      "small"))
              .wallSeconds();
    }
    Path trace = folder.resolve("run/trace");
    long events = 0;
    double first = 0;
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < WARM_UP + rounds; i++) {
      long start = System.nanoTime();
      events = analyze(trace);
      double rate = events / ((System.nanoTime() - start) / 1e9);
      if (i == 0) {
        first = rate;
      } else if (i >= WARM_UP) {
        rates.add(rate);
      }
    }
    double cpu = Measured.median(nativeCpu);
    double whole = Measured.median(nativeWhole);
    double bytes = (double) Files.size(trace) / events;
    System.out.printf(
        "PM hash table, %d threads, %s operations, %d rounds, medians%n%n",
        THREADS, operations, rounds);
    System.out.println("| what | measured | wanted |");
    System.out.println("| --- | --- | --- |");
    row("native: CPU s, wall s", "%.3f, %.3f".formatted(cpu, Measured.median(nativeWall)), "");
    row(
        "CPU of the recorded target against native",
        "%.2f".formatted(Measured.median(recordedCpu) / cpu),
        "at most 2.0");
    row(
        "perdure run, all detectors, end to end: wall s",
        "%.2f".formatted(Measured.median(endToEnd)),
        "at most %.2f (4 x native + 1.5 s)".formatted(4 * whole + 1.5));
    row("events of the run", "%,d".formatted(events), "");
    row(
        "reader and all detectors: M events/s on one core",
        "%.1f (best %.1f, first pass %.1f)"
            .formatted(
                Measured.median(array(rates)) / 1e6,
                rates.stream().max(Double::compare).orElseThrow() / 1e6,
                first / 1e6),
        "at least 10");
    row("trace of 100 M events: GB", "%.2f".formatted(bytes / 10), "at most 1");
    row("perdure check of 50 lines: wall s", "%.2f".formatted(Measured.median(checks)), "below 3");
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static void row(String what, String measured, String wanted) {
    System.out.println("| " + what + " | " + measured + " | " + wanted + " |");
  }

  private static long analyze(Path file) throws IOException {
    try (TraceFile trace = TraceFile.open(file)) {
      Detection detection = new Detection(DetectionOptions.standard());
      long events = trace.forEach(detection);
      detection.finish(trace, true, ticks -> -1);
      return events;
    }
  }
}
