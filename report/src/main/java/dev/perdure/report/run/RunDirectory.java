package dev.perdure.report.run;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.UUID;

/** The directory of one run: trace, findings.json, report and log, readable by its owner only. */
public record RunDirectory(Path path) {
  /** Where runs are kept when {@code --out} does not say otherwise. */
  public static final String PARENT = "perdure-out";

  private static final String LATEST = "latest";
  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /**
   * A new directory {@code perdure-out/<time>} below the given one, with {@code latest} pointing at
   * it.
   */
  public static RunDirectory create(Path workingDirectory, LocalDateTime now) throws IOException {
    Path parent = workingDirectory.resolve(PARENT);
    Files.createDirectories(parent);
    Path run = fresh(parent, NAME.format(now));
    pointLatestAt(parent, run);
    return new RunDirectory(run);
  }

  /**
   * The directory that {@code --out} names. One that is there already is used again: what an
   * earlier run left in it is removed, anything else in it is left alone.
   */
  public static RunDirectory at(Path chosen) throws IOException {
    if (Files.isDirectory(chosen)) {
      RunDirectory run = new RunDirectory(chosen);
      for (Path file : new Path[] {run.trace(), run.findings(), run.report(), run.log()}) {
        Files.deleteIfExists(file);
      }
      try (var entries = Files.newDirectoryStream(chosen)) {
        if (!entries.iterator().hasNext()) {
          Files.setPosixFilePermissions(chosen, PosixFilePermissions.fromString("rwx------"));
        }
      }
      return run;
    }
    Path parent = chosen.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    return new RunDirectory(Files.createDirectory(chosen, OWNER_DIRECTORY));
  }

  public Path trace() {
    return path.resolve("trace");
  }

  public Path findings() {
    return path.resolve("findings.json");
  }

  public Path report() {
    return path.resolve("report.txt");
  }

  public Path log() {
    return path.resolve("log");
  }

  /** Writes one of its files, completely or not at all. */
  public void write(Path file, byte[] content) throws IOException {
    AtomicFile.write(file, content, OWNER_FILE);
  }

  private static Path fresh(Path parent, String name) throws IOException {
    for (int i = 1; ; i++) {
      try {
        return Files.createDirectory(
            parent.resolve(i == 1 ? name : name + "-" + i), OWNER_DIRECTORY);
      } catch (FileAlreadyExistsException e) {
        if (i == 1000) {
          throw e;
        }
      }
    }
  }

  private static void pointLatestAt(Path parent, Path run) throws IOException {
    Path link = parent.resolve("." + LATEST + "." + UUID.randomUUID());
    Files.createSymbolicLink(link, run.getFileName());
    try {
      Files.move(link, parent.resolve(LATEST), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(link);
    }
  }
}
