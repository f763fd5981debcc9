package dev.perdure.target;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.model.file.FileReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The file behind the first word of a command, and why it cannot be run. */
public record ProgramFile(Path path, Optional<ElfFile> elf) {
  private static final int FIRST_LINE_MOST = 256;
  private static final int HEADER = 64;

  /**
   * Finds a program as a shell would.
   *
   * @param searchPath the value of PATH
   */
  public static ProgramFile find(String name, Path directory, String searchPath)
      throws TargetStartException {
    return read(name, locate(name, directory, searchPath), false);
  }

  /**
   * Finds a program as a shell would, or a shared library, which need not be executable.
   *
   * @param searchPath the value of PATH
   */
  public static ProgramFile findModule(String name, Path directory, String searchPath)
      throws TargetStartException {
    return read(name, locate(name, directory, searchPath), true);
  }

  private static ProgramFile read(String name, Path path, boolean libraries)
      throws TargetStartException {
    if (Files.isDirectory(path)) {
      throw new TargetStartException(name + ": is a directory, not a program");
    }
    boolean executable = Files.isExecutable(path);
    if (!executable && !libraries) {
      throw notExecutable(name);
    }
    try {
      Optional<ElfFile> elf = ElfFile.read(path);
      if (!executable && (elf.isEmpty() || !elf.get().dynamic())) {
        throw notExecutable(name);
      }
      if (elf.isPresent() && !elf.get().runsHere()) {
        throw new TargetStartException(
            name
                + (is32Bit(path) ? ": is a 32-bit ELF file for " : ": is an ELF file for ")
                + elf.get().machine()
                + "; this machine runs 64-bit x86-64");
      }
      if (elf.isEmpty()) {
        checkInterpreter(name, path);
      } else if (isCutShort(path)) {
        throw new TargetStartException(name + ": is an ELF file that is cut short; build it again");
      }
      return new ProgramFile(path, elf);
    } catch (IOException e) {
      throw new TargetStartException(name + ": cannot be read (" + FileReason.of(e) + ")", e);
    }
  }

  private static TargetStartException notExecutable(String name) {
    return new TargetStartException(
        name + ": is not executable; make it so with chmod +x, or give an interpreter");
  }

  private static Path locate(String name, Path directory, String searchPath)
      throws TargetStartException {
    if (name.contains("/")) {
      Path path = directory.resolve(name);
      if (Files.notExists(path)) {
        throw new TargetStartException(name + ": no such file");
      }
      return path;
    }
    for (String folder : searchPath.split(":")) {
      Path path = directory.resolve(folder).resolve(name);
      if (Files.isRegularFile(path) && Files.isExecutable(path)) {
        return path;
      }
    }
    String hint =
        Files.isRegularFile(directory.resolve(name)) ? "; did you mean ./" + name + "?" : "";
    throw new TargetStartException(name + ": no such program in PATH" + hint);
  }

  private static boolean is32Bit(Path path) throws IOException {
    return header(path).get(4) == 1;
  }

  /** Whether the file ends before its program headers do. */
  private static boolean isCutShort(Path path) throws IOException {
    ByteBuffer header = header(path);
    long headers = header.getLong(32) + (long) header.getShort(54) * header.getShort(56);
    return Files.size(path) < Math.max(HEADER, headers);
  }

  /** The ELF header; zeros where the file is shorter. */
  private static ByteBuffer header(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(HEADER);
      return ByteBuffer.wrap(Arrays.copyOf(bytes, HEADER)).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private static void checkInterpreter(String name, Path path)
      throws IOException, TargetStartException {
    byte[] head;
    try (InputStream in = Files.newInputStream(path)) {
      head = in.readNBytes(FIRST_LINE_MOST);
    }
    String line = new String(head, StandardCharsets.ISO_8859_1).lines().findFirst().orElse("");
    if (!line.startsWith("#!")) {
      throw new TargetStartException(
          name + ": is neither an ELF file nor a script that names its interpreter");
    }
    String interpreter = line.substring(2).strip().split("\\s+")[0];
    if (!Files.isExecutable(Path.of(interpreter))) {
      throw new TargetStartException(name + ": its interpreter " + interpreter + " is missing");
    }
  }

  /** Whether it was built with perdure cc. */
  public boolean instrumented() throws IOException {
    return elf.isPresent() && SiteTables.in(elf.get());
  }
}
