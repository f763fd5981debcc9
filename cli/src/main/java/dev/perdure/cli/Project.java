package dev.perdure.cli;

import dev.perdure.model.config.Configuration;
import dev.perdure.report.configuration.ConfigurationException;
import dev.perdure.report.configuration.ConfigurationReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The project's configuration: the file that is named, or perdure.toml in the working directory.
 */
final class Project {
  private Project() {}

  static Optional<Path> configurationFile(Path named) {
    if (named != null) {
      return Optional.of(named);
    }
    Path standard = Path.of(ConfigurationReader.DEFAULT_NAME);
    return Files.exists(standard) ? Optional.of(standard) : Optional.empty();
  }

  static Configuration configuration(Path named) {
    Optional<Path> file = configurationFile(named);
    if (file.isEmpty()) {
      return Configuration.EMPTY;
    }
    try {
      return ConfigurationReader.read(file.get());
    } catch (ConfigurationException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }
}
