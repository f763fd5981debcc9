package dev.perdure.report.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lines of the program's source files, where the files can be found. */
@FunctionalInterface
public interface SourceLines {

  /** The text of a line without the white space around it; empty where it is not to be had. */
  Optional<String> line(String file, int line);

  /** No source at all. */
  static SourceLines none() {
    return (file, line) -> Optional.empty();
  }

  /** Reads the files; relative paths are tried below each of the directories. */
  static SourceLines fromFiles(List<Path> directories) {
    return new OfFiles(directories);
  }

  /** Reads each file once and keeps its lines. */
  final class OfFiles implements SourceLines {
    private static final long LARGEST = 32L << 20;

    private final List<Path> directories;
    private final Map<String, List<String>> read = new HashMap<>();

    private OfFiles(List<Path> directories) {
      this.directories = List.copyOf(directories);
    }

    @Override
    public Optional<String> line(String file, int line) {
      List<String> lines = read.computeIfAbsent(file, this::read);
      return line < 1 || line > lines.size()
          ? Optional.empty()
          : Optional.of(lines.get(line - 1).strip()).filter(text -> !text.isEmpty());
    }

    private List<String> read(String file) {
      for (Path directory : directories) {
        try {
          Path path = directory.resolve(file);
          if (Files.isRegularFile(path) && Files.size(path) <= LARGEST) {
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8).lines().toList();
          }
        } catch (IOException | InvalidPathException e) {
          continue; // not to be had here; reports do without the text
        }
      }
      return List.of();
    }
  }
}
