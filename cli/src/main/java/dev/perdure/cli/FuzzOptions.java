package dev.perdure.cli;

import dev.perdure.fuzz.campaign.Tier;
import dev.perdure.fuzz.interleaving.Strategies;
import dev.perdure.model.finding.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that only fuzz has. */
final class FuzzOptions {
  private static final Duration MOST_MINIMISATION = Duration.ofSeconds(10);
  private static final int MOST_WORKERS = 64;

  /** Stands in the arguments for the port of {@code --socket}. */
  static final String PORT = "{port}";

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

  @Option(
      names = "--socket",
      paramLabel = "HOST:PORT",
      description =
          "the program is a server there: operations are sent over --threads connections, then it is asked to end (SIGTERM); {port} in ARGS is the port, another one for each worker")
  String socket;

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

  /** Where the server of a worker is. */
  Optional<InetSocketAddress> socket(int worker) {
    if (socket == null) {
      return Optional.empty();
    }
    int colon = socket.lastIndexOf(':');
    String port = socket.substring(colon + 1);
    if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) + workers > 65536) {
      throw CommandFailure.usage(
          "--socket " + socket + ": an address such as 127.0.0.1:11211 is wanted");
    }
    return Optional.of(
        new InetSocketAddress(socket.substring(0, colon), Integer.parseInt(port) + worker));
  }

  /** Servers that run at the same time need ports of their own. */
  void checkPorts(List<String> command) {
    if (socket != null && workers > 1 && command.stream().noneMatch(w -> w.contains(PORT))) {
      throw CommandFailure.usage(
          "--workers " + workers + " with --socket: put {port} where the server's port goes");
    }
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

  /** The options that a replay needs too. */
  List<String> forReplay() {
    List<String> words = new ArrayList<>();
    if (recover != null) {
      words.addAll(List.of("--recover", recover));
    }
    if (socket != null) {
      words.addAll(List.of("--socket", socket, "--threads", "" + threads));
    }
    if (socket != null && grammar != null) {
      words.addAll(List.of("--grammar", grammar.toString()));
    }
    return words;
  }

  void check() {
    time();
    writerWait();
    strategy();
    stopAt();
    tiers();
    minimisation();
    socket(0);
    Quantities.atLeastOne("--threads", threads);
    if (workers < 1 || workers > MOST_WORKERS) {
      throw CommandFailure.usage("--workers " + workers + ": from 1 to 64 are possible");
    }
  }
}
