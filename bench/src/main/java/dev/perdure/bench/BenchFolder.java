package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A folder for pools and programs, in memory where there is such a place, gone afterwards. */
record BenchFolder(Path path) implements AutoCloseable {
  static BenchFolder create() throws IOException {
    Path memory = Path.of("/dev/shm");
    return new BenchFolder(
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "perdure-bench")
            : Files.createTempDirectory("perdure-bench"));
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
