package dev.perdure.cli;

import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.Suppression;
import dev.perdure.model.file.FileReason;
import dev.perdure.report.configuration.ConfigurationException;
import dev.perdure.report.configuration.ConfigurationReader;
import dev.perdure.report.run.FailOn;
import dev.perdure.report.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/** What the options and the project say together about a run, before anything is started. */
final class RunSettings {
  private RunSettings() {}

  static FailOn failOn(ObservationOptions options) {
    return FailOn.parse(options.failOn)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "--fail-on "
                        + options.failOn
                        + ": possible, proven, observed, harmful, unrecovered or never is wanted"));
  }

  static Configuration configuration(ObservationOptions options) {
    Configuration configuration = Project.configuration(options.config);
    try {
      List<Suppression> further = new ArrayList<>();
      for (Path file : options.suppress) {
        further.addAll(ConfigurationReader.readSuppressions(file));
      }
      if (options.insideLibraries) {
        Path shipped = Home.ofLauncher().benignInLibraries();
        ConfigurationReader.readSuppressions(shipped).stream()
            .map(Suppression::asShipped)
            .forEach(further::add);
      }
      return configuration.with(further);
    } catch (ConfigurationException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }

  static RunDirectory runDirectory(ObservationOptions options) {
    try {
      return options.out != null
          ? RunDirectory.at(options.out)
          : RunDirectory.create(Path.of("").toAbsolutePath(), LocalDateTime.now());
    } catch (IOException e) {
      throw CommandFailure.usage(
          (options.out != null ? options.out : Path.of(RunDirectory.PARENT))
              + ": cannot be made ("
              + FileReason.of(e)
              + "); choose another directory with --out",
          e);
    }
  }

  /** The files and directories of the options, then those of the configuration. */
  static List<Path> pmPaths(ObservationOptions options, Configuration configuration) {
    List<Path> paths = new ArrayList<>(options.pm);
    configuration.pmPaths().forEach(p -> paths.add(Path.of(p)));
    return paths;
  }
}
