package dev.perdure.report.run;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.UUID;

/**
 * Writes a file so that it is there completely or not at all: first under another name in the same
 * directory, then renamed. What is no ordinary file (a pipe, /dev/null) is written directly.
 */
public final class AtomicFile {
  private AtomicFile() {}

  /** Writes the file with the given attributes, if it is a new one. */
  public static void write(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        out.write(content);
      }
      return;
    }
    Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path draft = real.resolveSibling("." + real.getFileName() + "." + UUID.randomUUID());
    try {
      Files.createFile(draft, attributes);
      Files.write(draft, content);
      Files.move(draft, real, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Writes to the file of that name, or to standard output if the name is {@code -}. */
  public static void writeTo(String name, byte[] content, PrintStream standardOutput)
      throws IOException {
    if (name.equals("-")) {
      standardOutput.write(content);
      if (standardOutput.checkError()) {
        throw new IOException("standard output does not take it all");
      }
    } else {
      write(Path.of(name), content);
    }
  }
}
