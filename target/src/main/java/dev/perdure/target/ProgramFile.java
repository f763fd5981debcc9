package dev.perdure.target;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.model.file.FileReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The file behind the first word of a command, and why it cannot be run. */
public record ProgramFile(Path path, Optional<ElfFile> elf) {
  private static final int FIRST_LINE_MOST = 256;

  /**
   * Finds a program as a shell would.
   *
   * @param searchPath the value of PATH
   */
  public static ProgramFile find(String name, Path directory, String searchPath)
      throws TargetStartException {
    Path path = locate(name, directory, searchPath);
    if (Files.isDirectory(path)) {
      throw new TargetStartException(name + ": is a directory, not a program");
    }
    if (!Files.isExecutable(path)) {
      throw new TargetStartException(
          name + ": is not executable; make it so with chmod +x, or give an interpreter");
    }
    try {
      Optional<ElfFile> elf = ElfFile.read(path);
      if (elf.isPresent() && !elf.get().runsHere()) {
        throw new TargetStartException(
            name + ": is an ELF file for " + elf.get().machine() + "; this machine runs x86-64");
      }
      if (elf.isEmpty()) {
        checkInterpreter(name, path);
      }
      return new ProgramFile(path, elf);
    } catch (IOException e) {
      throw new TargetStartException(name + ": cannot be read (" + FileReason.of(e) + ")", e);
    }
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
