package dev.perdure.report.run;

import dev.perdure.model.file.FreshName;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;

/**
 * Writes a file so that it is there completely or not at all: first under another name in the same
 * directory, then renamed. What is no ordinary file (a pipe, /dev/null) is written directly.
 */
public final class AtomicFile {
  /** What a file is to hold, written piece by piece. */
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private AtomicFile() {}

  /** Writes the file with the given attributes, if it is a new one. */
  public static void write(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    write(file, out -> out.write(content), attributes);
  }

  /** Writes the file with the given attributes, if it is a new one. */
  public static void write(Path file, Content content, FileAttribute<?>... attributes)
      throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      write(content, Files.newOutputStream(file, StandardOpenOption.WRITE));
      return;
    }
    Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path draft = real.resolveSibling("." + real.getFileName() + "." + FreshName.next());
    try {
      Files.createFile(draft, attributes);
      write(content, Files.newOutputStream(draft));
      Files.move(draft, real, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void write(Content content, OutputStream to) throws IOException {
    try (OutputStream out = new BufferedOutputStream(to)) {
      content.writeTo(out);
    }
  }

  /** Writes to the file of that name, or to standard output if the name is {@code -}. */
  public static void writeTo(String name, byte[] content, PrintStream standardOutput)
      throws IOException {
    writeTo(name, out -> out.write(content), standardOutput);
  }

  /** Writes to the file of that name, or to standard output if the name is {@code -}. */
  public static void writeTo(String name, Content content, PrintStream standardOutput)
      throws IOException {
    if (name.equals("-")) {
      content.writeTo(standardOutput);
      if (standardOutput.checkError()) {
        throw new IOException("standard output does not take it all");
      }
    } else {
      write(Path.of(name), content);
    }
  }
}
