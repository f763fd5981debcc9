package dev.perdure.cli;

import dev.perdure.fuzz.interleaving.Strategies;
import dev.perdure.model.finding.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that only fuzz has. */
final class FuzzOptions {
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
      description = "end the search at the first finding of that level or of another kind")
  String stopAt;

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
    if (threads < 1) {
      throw CommandFailure.usage("--threads " + threads + ": at least 1 is wanted");
    }
    if (workers != 1) {
      throw CommandFailure.usage("--workers " + workers + ": this version has one worker");
    }
  }
}
