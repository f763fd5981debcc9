package dev.perdure.bench;

import dev.perdure.detect.Detection;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Role;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetRun;
import dev.perdure.target.TargetStartException;
import dev.perdure.target.delay.DelayInjection;
import dev.perdure.trace.event.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Races of a program with rare races that regions bring to light, after figure 7 and table 2 of
 * Vardalith. Each execution of the program is read by detectors with regions of all extents at
 * once, so that they are compared on the same executions; so is what the regions find that are
 * announced where they start.
 */
final class RegionsBenchmark {
  private static final int THREADS = 8;
  private static final Duration DELAY = Duration.ofMillis(1);

  /** Which regions are compared. */
  private enum Column {
    MINIMAL(RegionExtent.MINIMAL, RegionStart.LOOKBACK),
    IFR(RegionExtent.IFR, RegionStart.LOOKBACK),
    PIFR(RegionExtent.PIFR, RegionStart.LOOKBACK),
    ANNOUNCED(RegionExtent.PIFR, RegionStart.STATIC);

    private final RegionExtent extent;
    private final RegionStart starts;

    Column(RegionExtent extent, RegionStart starts) {
      this.extent = extent;
      this.starts = starts;
    }
  }

  /** How the program is run. */
  private record Configuration(String name, OptionalDouble decay, long sample) {}

  private static final List<Configuration> CONFIGURATIONS =
      List.of(
          new Configuration("as it is", OptionalDouble.empty(), 1),
          new Configuration("delay 1 ms, decay 5 %", OptionalDouble.of(0.05), 1),
          new Configuration("delay 1 ms, decay 0 %", OptionalDouble.of(0), 1),
          new Configuration("sample 1/10", OptionalDouble.empty(), 10),
          new Configuration("sample 1/10, delay 1 ms, decay 5 %", OptionalDouble.of(0.05), 10),
          new Configuration("sample 1/10, delay 1 ms, decay 0 %", OptionalDouble.of(0), 10));

  private final Path home;
  private final List<String> sizes;
  private final int runs;

  RegionsBenchmark(Path home, boolean quick) {
    this.home = home;
    this.sizes = quick ? List.of("1000", "10000") : List.of("1000", "10000", "100000");
    this.runs = quick ? 2 : 5;
  }

  void run() throws IOException, InterruptedException {
    try (BenchFolder folder = BenchFolder.create()) {
      measure(folder.path());
    } catch (TargetStartException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void measure(Path folder) throws IOException, InterruptedException, TargetStartException {
    String source = home.resolve("examples/rare/rare.c").toString();
    String perdure = home.resolve("perdure").toString();
    Measured.require(folder, List.of(perdure, "cc", "-O1", "-g", "-pthread", source, "-o", "rare"));
    Path program = AnnouncingProgram.of(home, folder.resolve("rare"));
    System.out.printf(
        "examples/rare, %d threads: different races in %d runs with seeds 1 to %d%n%n",
        THREADS, runs, runs);
    System.out.println(
        "| operations | run | minimal | ifr | pifr | pifr, static starts | pifr in one run | seconds a run |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (String size : sizes) {
      for (Configuration configuration : CONFIGURATIONS) {
        boolean endless = size.equals("100000") && configuration.decay().orElse(1) == 0;
        if (!endless) {
          row(program, folder, size, configuration);
        }
      }
    }
    System.out.println();
    new RegionSizesTable(home, folder, THREADS).print(sizes);
    System.out.println();
    new RegionCost(home, folder, THREADS).print(runs);
  }

  private void row(Path program, Path folder, String size, Configuration configuration)
      throws IOException, InterruptedException, TargetStartException {
    Map<Column, Set<String>> races = new EnumMap<>(Column.class);
    double[] seconds = new double[runs];
    double[] found = new double[runs];
    for (int seed = 1; seed <= runs; seed++) {
      Map<Column, Set<String>> here = new EnumMap<>(Column.class);
      seconds[seed - 1] = once(program, folder, size, configuration, seed, here);
      found[seed - 1] = here.get(Column.PIFR).size();
      here.forEach(
          (column, pairs) -> races.computeIfAbsent(column, c -> new HashSet<>()).addAll(pairs));
    }
    System.out.printf(
        "| %s | %s | %d | %d | %d | %d | %s | %s |%n",
        size,
        configuration.name(),
        races.get(Column.MINIMAL).size(),
        races.get(Column.IFR).size(),
        races.get(Column.PIFR).size(),
        races.get(Column.ANNOUNCED).size(),
        Measured.spread(found),
        Measured.spread(seconds));
  }

  private double once(
      Path program,
      Path folder,
      String size,
      Configuration configuration,
      int seed,
      Map<Column, Set<String>> races)
      throws IOException, InterruptedException, TargetStartException {
    Path pool = folder.resolve("pool");
    Files.deleteIfExists(pool);
    List<String> words =
        List.of(program.toString(), pool.toString(), "" + THREADS, size, "" + seed);
    TargetCommand command =
        TargetCommand.of(words, home.resolve("native/build/libperdure.so"), folder)
            .pmPaths(List.of(pool))
            .seed(seed)
            .sample(configuration.sample())
            .build();
    Map<Column, Detection> detections = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      detections.put(
          column,
          new Detection(
              new DetectionOptions(
                  Set.of(Detector.REGIONS),
                  PersistenceDomain.ADR,
                  true,
                  false,
                  column.extent,
                  column.starts)));
    }
    try (TargetRun run = TargetRun.start(command)) {
      Optional<DelayInjection> delays = delays(run, configuration, detections);
      Event event = new Event();
      while (run.source().next(event)) {
        detections.values().forEach(d -> d.accept(event));
        delays.ifPresent(d -> d.see(event));
      }
      boolean complete = run.await().complete();
      detections.forEach(
          (column, detection) ->
              races.put(column, pairs(detection.finish(run.symbols(), complete, ticks -> -1))));
      return run.elapsed().toNanos() / 1e9;
    }
  }

  private static Optional<DelayInjection> delays(
      TargetRun run, Configuration configuration, Map<Column, Detection> detections) {
    if (configuration.decay().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new DelayInjection(
            run.recording().schedule(),
            DELAY,
            configuration.decay().getAsDouble(),
            detections.get(Column.PIFR)::overlapsOf));
  }

  private static Set<String> pairs(List<Finding> findings) {
    return findings.stream()
        .map(f -> f.place(Role.STORE).orElseThrow() + " " + f.place(Role.LOAD).orElseThrow())
        .collect(Collectors.toSet());
  }
}
