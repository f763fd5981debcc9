package dev.perdure.llvm.driver;

import dev.perdure.llvm.instrument.Instrumentation;
import dev.perdure.llvm.ir.LlvmLibraries;
import dev.perdure.llvm.labels.BranchCoverage;
import dev.perdure.llvm.labels.FunctionLabels;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The variant of a program that carries labels beside its values, made from the source that the
 * program keeps in itself. It is built when it is first asked for and kept in the user's cache, by
 * the content of the source and of the runtime.
 */
public final class LabelledVariant {
  /** The section of a program that its variant is built from. */
  public static final String SECTION = ProgramSource.SECTION;

  private final DriverEnvironment environment;

  public LabelledVariant(DriverEnvironment environment) {
    this.environment = environment;
  }

  /**
   * The variant's file.
   *
   * @param section the content of the program's section
   * @param name what the file is called
   * @throws IOException if it cannot be built; the message says why
   */
  public Path of(byte[] section, String name) throws IOException {
    Path folder = environment.cache().path().resolve("variants").resolve(key(section));
    Path variant = folder.resolve(name);
    if (Files.isExecutable(variant)) {
      return variant;
    }
    Files.createDirectories(folder);
    try (Scratch scratch = Scratch.create()) {
      Path made = build(section, name, scratch);
      Path beside =
          Files.copy(
              made,
              Files.createTempFile(folder, name, ".new"),
              StandardCopyOption.REPLACE_EXISTING,
              StandardCopyOption.COPY_ATTRIBUTES);
      try {
        return Files.move(beside, variant, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        return Files.move(beside, variant, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Path build(byte[] section, String name, Scratch scratch) throws IOException {
    ProgramSource source = ProgramSource.read(new ByteArrayInputStream(section), scratch);
    Toolchain toolchain = Toolchain.find(environment.cache());
    LlvmLibraries.load(toolchain.bundled());
    Path directory =
        Files.isDirectory(source.directory()) ? source.directory() : environment.workingDirectory();
    DriverEnvironment there = environment.in(directory);
    Path made = scratch.file("variant");
    List<Instrumentation.Addition> additions =
        List.of(FunctionLabels.addition(), new BranchCoverage());
    int exit =
        new ProgramBuild(there, toolchain, new Programs(there), scratch)
            .observed(source, Optional.empty(), additions, made.toString());
    if (exit != 0) {
      throw new IOException(
          "the variant of "
              + name
              + " that follows data cannot be linked as the program was, in "
              + source.directory()
              + "; build the program again with perdure cc");
    }
    return made;
  }

  private String key(byte[] section) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(section);
      digest.update(Files.readAllBytes(environment.runtime()));
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
