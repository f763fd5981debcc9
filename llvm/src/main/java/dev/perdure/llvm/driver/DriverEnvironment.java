package dev.perdure.llvm.driver;

import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.model.config.Configuration;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the driver needs to know of the world.
 *
 * @param home Perdure's own folder
 * @param workingDirectory where relative paths start
 * @param cache where the toolchain is unpacked
 * @param variables the environment variables
 * @param messages where messages go, the compiler's too
 * @param configuration the project's: its own locks, allocators and flush functions
 */
public record DriverEnvironment(
    Path home,
    Path workingDirectory,
    CacheDirectory cache,
    Map<String, String> variables,
    PrintStream messages,
    Configuration configuration) {

  public DriverEnvironment {
    variables = Map.copyOf(variables);
  }

  /** The environment of this process. */
  public static DriverEnvironment ofProcess(Path home, Configuration configuration) {
    return new DriverEnvironment(
        home,
        Path.of("").toAbsolutePath(),
        CacheDirectory.of(System.getenv()),
        System.getenv(),
        System.err,
        configuration);
  }

  /** The same in another working directory. */
  DriverEnvironment in(Path directory) {
    return new DriverEnvironment(home, directory, cache, variables, messages, configuration);
  }

  /** The folder with perdure.h. */
  public Path includes() {
    return home.resolve("native/include");
  }

  /** The shared library that instrumented programs are linked with. */
  public Path runtime() {
    return home.resolve("native/build/libperdure.so");
  }
}
