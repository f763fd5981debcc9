package dev.perdure.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where Perdure itself is installed: its runtime, headers, documentation and examples. */
record Home(Path path) {
  /** The folder that the launcher names. */
  static Home ofLauncher() {
    String home = System.getProperty("perdure.home", System.getenv("PERDURE_HOME"));
    if (home == null) {
      throw CommandFailure.internal(
          "start Perdure by its launcher: the property perdure.home is not set", null);
    }
    return new Home(Path.of(home).toAbsolutePath().normalize());
  }

  Path runtimeLibrary() {
    Path library = path.resolve("native/build/libperdure.so");
    if (!Files.exists(library)) {
      throw CommandFailure.internal(
          library + " is missing: build Perdure again (delete bench/build and start ./perdure)",
          null);
    }
    return library;
  }

  Path findingPages() {
    return path.resolve("docs/findings");
  }

  /** Suppressions for what is known of PM libraries. */
  Path benignInLibraries() {
    return path.resolve("suppressions/pm-libraries.toml");
  }

  Path demoSource() {
    return path.resolve("examples/inventory/inventory.c");
  }
}
