package dev.perdure.cli;

import dev.perdure.fuzz.campaign.Tier;
import dev.perdure.fuzz.interleaving.Strategies;
import dev.perdure.model.finding.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that only fuzz has. */
final class FuzzOptions {
  private static final Duration MOST_MINIMISATION = Duration.ofSeconds(10);
  private static final int MOST_WORKERS = 64;

  @Option(
      names = "--seeds",
      paramLabel = "DIR",
      description = "a directory of inputs to begin with; @@ in ARGS is the path of the input")
  Path seeds;

  @Option(
      names = "--grammar",
      paramLabel = "FILE",
      description = "what operations look like (docs/fuzz.md); without it the seeds suggest it")
  Path grammar;

  @Option(names = "--time", paramLabel = "TIME", description = "how long to search (default: 10m)")
  String time = "10m";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "what {threads} in ARGS stands for (default: 4)")
  int threads = 4;

  @Option(names = "--workers", paramLabel = "N", description = "campaigns at a time (default: 1)")
  int workers = 1;

  @Option(
      names = "--writer-wait",
      paramLabel = "TIME",
      description = "how long a writer gives readers before it flushes (default: 5ms)")
  String writerWait = "5ms";

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description =
          "how interleavings are chosen: pmaware (default), delay (random delays), pct (random priorities)")
  String strategy = "pmaware";

  @Option(
      names = "--recover",
      paramLabel = "CMD",
      description =
          "the recovery command, run on crash images behind durable effects; {pm}, {pm2} … stand for the pools")
  String recover;

  @Option(
      names = "--stop-at",
      paramLabel = "LEVEL",
      description =
          "end the search at the first finding of that level; kinds without levels count as proven")
  String stopAt;

  @Option(
      names = "--tiers",
      paramLabel = "LIST",
      split = ",",
      description =
          "what is explored: execution (always), interleaving, seed (default: all); for comparison")
  List<String> tiers = List.of("execution", "interleaving", "seed");

  @Option(
      names = "--minimise",
      paramLabel = "TIME",
      description =
          "how long the inputs of findings are made smaller at the end, or no (default: a tenth of --time, at most 10s)")
  String minimise;

  @Option(
      names = "--replay",
      paramLabel = "ID",
      description = "run the campaign of that name of the run directory --out once more")
  String replay;

  Duration time() {
    return Quantities.duration("--time", time);
  }

  Duration writerWait() {
    return Quantities.duration("--writer-wait", writerWait);
  }

  Duration minimisation() {
    if ("no".equals(minimise)) {
      return Duration.ZERO;
    }
    if (minimise != null) {
      return Quantities.duration("--minimise", minimise);
    }
    Duration tenth = time().dividedBy(10);
    return tenth.compareTo(MOST_MINIMISATION) < 0 ? tenth : MOST_MINIMISATION;
  }

  Set<Tier> tiers() {
    Set<Tier> all = EnumSet.of(Tier.EXECUTION);
    for (String name : tiers) {
      all.add(
          Tier.byLabel(name)
              .orElseThrow(
                  () ->
                      CommandFailure.usage(
                          "--tiers " + name + ": execution, interleaving or seed is wanted")));
    }
    return all;
  }

  Strategies strategy() {
    return Strategies.byLabel(strategy)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "--strategy " + strategy + ": pmaware, delay or pct is wanted"));
  }

  Optional<Level> stopAt() {
    if (stopAt == null) {
      return Optional.empty();
    }
    return Optional.of(
        Level.byLabel(stopAt)
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        "--stop-at "
                            + stopAt
                            + ": possible, proven, observed, harmful or unrecovered is wanted")));
  }

  void check() {
    time();
    writerWait();
    strategy();
    stopAt();
    tiers();
    minimisation();
    if (threads < 1) {
      throw CommandFailure.usage("--threads " + threads + ": at least 1 is wanted");
    }
    if (workers < 1 || workers > MOST_WORKERS) {
      throw CommandFailure.usage("--workers " + workers + ": from 1 to 64 are possible");
    }
  }
}
