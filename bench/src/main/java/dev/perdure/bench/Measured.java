package dev.perdure.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One execution of a command: its wall time, and what the benchmark program said of itself. */
record Measured(double wallSeconds, int exit, String output) {
  private static final Pattern OWN_FIGURES =
      Pattern.compile("wall ([0-9.]+) cpu ([0-9.]+)(?:\\+([0-9.]+))?");

  static Measured run(Path directory, List<String> command)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    return new Measured((System.nanoTime() - start) / 1e9, exit, output);
  }

  /** A command that must work. */
  static Measured require(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Measured measured = run(directory, command);
    if (measured.exit != 0) {
      throw new IOException(
          String.join(" ", command) + " ended with " + measured.exit + ":\n" + measured.output);
    }
    return measured;
  }

  double ownWall() throws IOException {
    return figure(1);
  }

  /** That of the system, where it is given apart, is part of it. */
  double ownCpu() throws IOException {
    return figure(2) + figure(3);
  }

  private double figure(int group) throws IOException {
    Matcher m = OWN_FIGURES.matcher(output);
    if (!m.find()) {
      throw new IOException("the benchmark program did not print its figures:\n" + output);
    }
    return m.group(group) == null ? 0 : Double.parseDouble(m.group(group));
  }

  /** Mean and standard deviation. */
  static String spread(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    double variance = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    return "%.2f ± %.2f".formatted(mean, Math.sqrt(variance));
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
