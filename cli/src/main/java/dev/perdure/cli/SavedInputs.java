package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The inputs of a run directory that reached new branches. */
record SavedInputs(Path folder) {
  /** Adds inputs to those that are there. */
  void save(List<byte[]> inputs) throws IOException {
    Files.createDirectories(folder);
    int number;
    try (var files = Files.list(folder)) {
      number = (int) files.count();
    }
    for (byte[] input : inputs) {
      Files.write(folder.resolve("input%04d".formatted(++number)), input);
    }
  }
}
