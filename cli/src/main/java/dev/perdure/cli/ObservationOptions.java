package dev.perdure.cli;

import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.report.run.RunReport;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that run, check and analyze share. */
final class ObservationOptions {
  @Option(
      names = "--pm",
      paramLabel = "PATH",
      description = "a file, or a directory, whose mappings are persistent memory; repeatable")
  List<Path> pm = new ArrayList<>();

  @Option(
      names = "--detect",
      split = ",",
      paramLabel = "LIST",
      description =
          "which detectors: lockset, regions, hb, observed, flush (default: all of these); taint, what unpersisted bytes flow into, is added by name")
  List<String> detect = new ArrayList<>();

  @Option(
      names = "--regions",
      paramLabel = "NAME",
      description =
          "how far regions reach: pifr (default), ifr, minimal; the smaller ones are for comparison")
  String regions = "pifr";

  @Option(
      names = "--starts",
      paramLabel = "NAME",
      description =
          "where regions start: lookback (default), after the last acquire, or static, where the program announces them at places"
              + " that are found in its code")
  String starts = "lookback";

  @Option(
      names = "--sample",
      paramLabel = "1/N",
      description = "record one of N loads of each thread: faster, and finds less")
  String sample;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description = "let threads sleep that long before they release, so that regions overlap")
  String delay;

  @Option(
      names = "--decay",
      paramLabel = "PERCENT",
      description = "what the probability of a sleep loses where nothing came of it (default: 5%%)")
  String decay;

  @Option(
      names = "--frontend",
      paramLabel = "NAME",
      description =
          "how events are obtained: llvm (programs built with perdure cc) or binary (by patching); chosen by itself")
  String frontend;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "repeat the run and merge the findings; the pool is put back before each further run")
  int runs = 1;

  @Option(names = "--seed", paramLabel = "N", description = "for every random choice (default: 1)")
  long seed = 1;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "the persistence domain: adr (default), eadr, cxl")
  String model = "adr";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "project configuration (default: perdure.toml where there is one)")
  Path config;

  @Option(
      names = "--suppress",
      paramLabel = "FILE",
      description = "suppressions beside those of the configuration; repeatable")
  List<Path> suppress = new ArrayList<>();

  @Option(
      names = "--inside-libraries",
      description = "treat libpmem, libpmem2 and libpmemobj as code under test")
  boolean insideLibraries;

  @Option(
      names = "--no-init-removal",
      description = "without initialisation removal, for comparison")
  boolean noInitRemoval;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "write findings.json there; - is standard output")
  String json;

  @Option(
      names = "--fail-on",
      paramLabel = "LEVEL",
      description =
          "the lowest level of persistency race that makes the exit code 1: possible (default), proven, observed, harmful,"
              + " unrecovered; never: nothing does")
  String failOn = "possible";

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "kill the target after that time (incomplete run)")
  String timeout;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "end a server after that time, with a full report")
  String duration;

  @Option(
      names = "--max-trace",
      paramLabel = "SIZE",
      description = "a limit on what is kept of the trace; analysis goes on (default: 4G)")
  String maxTrace = "4G";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "the run directory (default: perdure-out/<time>)")
  Path out;

  @Option(names = "--quiet", description = "only the summary line")
  boolean quiet;

  @Option(
      names = "--verbose",
      description = "also what Perdure itself does, and frames inside PM libraries")
  boolean verbose;

  @Option(names = "--no-color", description = "no colours, also on a terminal")
  boolean noColor;

  @Option(
      names = {"--sarif", "--junit", "--html"},
      hidden = true,
      paramLabel = "FILE")
  List<String> laterFormats = new ArrayList<>();

  /**
   * Refuses what this version does not have, and what makes no sense, before anything is started.
   */
  void check() {
    if (!laterFormats.isEmpty()) {
      throw CommandFailure.usage(
          "--sarif, --junit and --html are not available in this version; use --json");
    }
    if (decay != null && delay == null) {
      throw CommandFailure.usage("--decay " + decay + ": goes with --delay, such as --delay 1ms");
    }
    if (frontend != null && !frontend.equals("binary") && !frontend.equals("llvm")) {
      throw CommandFailure.usage("--frontend " + frontend + ": llvm or binary is wanted");
    }
    if (pm.contains(Path.of(""))) {
      throw CommandFailure.usage("--pm '': the path of a file or of a directory is wanted");
    }
    Quantities.atLeastOne("--runs", runs);
    domain();
    regions();
    starts();
    sample();
    delay();
    decay();
    timeout();
    duration();
    maxTrace();
  }

  PersistenceDomain domain() {
    return PersistenceDomain.byLabel(model)
        .orElseThrow(
            () -> CommandFailure.usage("--model " + model + ": adr, eadr or cxl is wanted"));
  }

  RegionExtent regions() {
    return RegionExtent.byLabel(regions)
        .orElseThrow(
            () ->
                CommandFailure.usage("--regions " + regions + ": pifr, ifr or minimal is wanted"));
  }

  RegionStart starts() {
    RegionStart chosen =
        RegionStart.byLabel(starts)
            .orElseThrow(
                () ->
                    CommandFailure.usage("--starts " + starts + ": lookback or static is wanted"));
    if (chosen == RegionStart.STATIC && detect.contains("taint")) {
      throw CommandFailure.usage(
          "--starts static and --detect taint: each needs a program of its own; ask for one at a time");
    }
    return chosen;
  }

  /** One of so many loads is recorded. */
  long sample() {
    if (sample == null) {
      return 1;
    }
    if (!sample.matches("1/[1-9]\\d{0,8}")) {
      throw CommandFailure.usage("--sample " + sample + ": a part such as 1/10 is wanted");
    }
    return Long.parseLong(sample.substring(2));
  }

  Optional<Duration> delay() {
    return Optional.ofNullable(delay).map(t -> Quantities.duration("--delay", t));
  }

  /** Of 1. */
  double decay() {
    String text = decay == null ? "5%" : decay;
    if (!text.matches("\\d+(\\.\\d+)?%") || Double.parseDouble(text.replace("%", "")) > 100) {
      throw CommandFailure.usage("--decay " + text + ": a percentage such as 5% is wanted");
    }
    return Double.parseDouble(text.replace("%", "")) / 100;
  }

  Optional<Duration> timeout() {
    return Optional.ofNullable(timeout).map(t -> Quantities.duration("--timeout", t));
  }

  Optional<Duration> duration() {
    return Optional.ofNullable(duration).map(t -> Quantities.duration("--duration", t));
  }

  long maxTrace() {
    return Quantities.bytes("--max-trace", maxTrace);
  }

  /** Shows a report as the options want it. */
  void print(RunReport report, PrintStream out) {
    Console console = Console.ofProcess(out, noColor);
    if (quiet) {
      Reports.summary(report, console);
    } else {
      Reports.print(report, console, insideLibraries || verbose);
    }
  }

  boolean jsonToStandardOutput() {
    return "-".equals(json);
  }
}
