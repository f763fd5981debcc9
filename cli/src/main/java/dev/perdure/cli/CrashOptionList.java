package dev.perdure.cli;

import dev.perdure.crash.image.ImageKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that only crash has. */
final class CrashOptionList {
  private static final String DEFAULT_LIMIT = "10s";

  @Option(
      names = "--recover",
      paramLabel = "CMD",
      description =
          "the recovery command, run on each crash image; {pm}, {pm2} … stand for the pools' paths")
  String recover;

  @Option(
      names = "--images",
      split = ",",
      paramLabel = "LIST",
      description =
          "which of the possible images: latest, persisted, all (default: latest,persisted)")
  List<String> images = new ArrayList<>(List.of("latest", "persisted"));

  @Option(
      names = "--points",
      paramLabel = "WHERE",
      description =
          "where failures are injected: ordering (before fences and the like), or stores (before"
              + " every PM store, too)")
  String points = "ordering";

  @Option(
      names = "--max-points",
      paramLabel = "N",
      description = "test at most so many failure points (default: 10000)")
  int maxPoints = 10_000;

  @Option(
      names = "--max-images",
      paramLabel = "N",
      description = "with --images all, at most so many for one failure point (default: 64)")
  int maxImages = 64;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "recovery runs at the same time (default: the number of processors)")
  int jobs = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--replay",
      paramLabel = "ID",
      description =
          "run the recovery of a finding again, from the run directory of --out or the latest")
  String replay;

  /** Refuses what makes no sense. */
  void check() {
    if (recover == null || recover.isBlank()) {
      throw CommandFailure.usage(
          "--recover is missing: perdure crash --recover 'CMD' [options] -- PROGRAM ARGS…");
    }
    if (!points.equals("ordering") && !points.equals("stores")) {
      throw CommandFailure.usage("--points " + points + ": ordering or stores is wanted");
    }
    Quantities.atLeastOne("--max-points", maxPoints);
    Quantities.atLeastOne("--max-images", maxImages);
    Quantities.atLeastOne("--jobs", jobs);
    kinds();
  }

  Set<ImageKind> kinds() {
    Set<ImageKind> kinds = EnumSet.noneOf(ImageKind.class);
    for (String name : images) {
      kinds.add(
          ImageKind.byLabel(name)
              .orElseThrow(
                  () ->
                      CommandFailure.usage(
                          "--images " + name + ": there are latest, persisted and all")));
    }
    return kinds;
  }

  /** The time limit of one recovery run. */
  long limitMillis(ObservationOptions options) {
    return options
        .timeout()
        .orElseGet(() -> Quantities.duration("--timeout", DEFAULT_LIMIT))
        .toMillis();
  }
}
