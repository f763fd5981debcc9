package dev.perdure.cli;

import dev.perdure.model.config.Configuration;
import dev.perdure.report.run.RunReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The pools of a crash test or a search: those of the command line, then the configuration's. */
final class NamedPools {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{pm(\\d{1,9})}");

  private NamedPools() {}

  /** At least one, by absolute paths. */
  static List<Path> of(ObservationOptions options, Configuration configuration) {
    List<Path> pools = new ArrayList<>();
    options.pm.forEach(p -> pools.add(p.toAbsolutePath().normalize()));
    configuration.pmPaths().forEach(p -> pools.add(Path.of(p).toAbsolutePath().normalize()));
    if (pools.isEmpty()) {
      throw CommandFailure.usage("no pool: name the pool's file, or its folder, with --pm PATH");
    }
    return pools;
  }

  /** Why a target touched nothing of them. */
  static String untouched(List<Path> pools) {
    Path working = Path.of("").toAbsolutePath();
    List<Path> missing = pools.stream().filter(Files::notExists).toList();
    String names =
        (missing.isEmpty() ? pools : missing)
            .stream()
                .map(p -> p.startsWith(working) ? working.relativize(p) : p)
                .map(Path::toString)
                .collect(Collectors.joining(", "));
    return RunReport.NO_PM
        + (missing.isEmpty() ? ": it accessed no mapping of " : ": there is no ")
        + names
        + ", as --pm says";
  }

  /** Refuses a recovery command that speaks of more pools than there are. */
  static void check(String recovery, List<Path> pools) {
    Matcher placeholder = PLACEHOLDER.matcher(recovery);
    while (placeholder.find()) {
      int number = Integer.parseInt(placeholder.group(1));
      if (number < 1 || number > pools.size()) {
        throw CommandFailure.usage(
            "--recover: %s stands for pool %d, and %s named: add --pm PATH"
                .formatted(
                    placeholder.group(),
                    number,
                    pools.size() == 1 ? "one is" : pools.size() + " are"));
      }
    }
  }
}
