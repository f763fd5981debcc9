package dev.perdure.crash.recovery;

import java.nio.file.Path;
import java.util.List;

/**
 * Where recovery runs.
 *
 * @param pools what the user calls persistent memory, absolute
 * @param directory the working directory
 * @param runtime the runtime's shared library
 * @param scratch for private copies, on the RAM disk where there is one
 * @param outputs keeps what the runs print
 * @param insideLibraries whether PM libraries are code under test
 */
public record RecoverySetting(
    List<Path> pools,
    Path directory,
    Path runtime,
    Path scratch,
    Path outputs,
    boolean insideLibraries) {
  public RecoverySetting {
    pools = List.copyOf(pools);
  }
}
