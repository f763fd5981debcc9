package dev.perdure.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * PM paths as the runtime compares them: absolute, without links, also where the file is yet to be
 * made.
 */
final class PmPaths {
  private PmPaths() {}

  static List<String> forRuntime(List<Path> paths, Path directory) throws IOException {
    Set<String> resolved = new LinkedHashSet<>();
    for (Path path : paths) {
      Path absolute = directory.resolve(path).toAbsolutePath().normalize();
      resolved.add(real(absolute).toString());
      resolved.add(absolute.toString());
    }
    return List.copyOf(resolved);
  }

  private static Path real(Path path) throws IOException {
    if (Files.exists(path)) {
      return path.toRealPath();
    }
    Path parent = path.getParent();
    return parent == null ? path : real(parent).resolve(path.getFileName());
  }
}
