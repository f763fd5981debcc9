package dev.perdure.crash.recovery;

import dev.perdure.target.TargetCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Where recovery runs.
 *
 * @param pools what the user calls persistent memory, absolute
 * @param directory the working directory
 * @param runtime the runtime's shared library
 * @param scratch for private copies, on the RAM disk where there is one
 * @param outputs keeps what the runs print
 * @param insideLibraries whether PM libraries are code under test
 * @param frontEnd adds to a command what observing the recovery program takes
 */
public record RecoverySetting(
    List<Path> pools,
    Path directory,
    Path runtime,
    Path scratch,
    Path outputs,
    boolean insideLibraries,
    UnaryOperator<TargetCommand.Builder> frontEnd) {
  public RecoverySetting {
    pools = List.copyOf(pools);
  }
}
