package dev.perdure.llvm.driver;

import dev.perdure.llvm.instrument.Instrumentation;
import dev.perdure.llvm.ir.LlvmLibraries;
import dev.perdure.llvm.labels.BranchCoverage;
import dev.perdure.llvm.labels.FunctionLabels;
import dev.perdure.llvm.region.RegionAnnouncements;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.toolchain.Toolchain;
import dev.perdure.model.config.Configuration;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
 * A variant of a program with more instrumentation, made from the source that the program keeps in
 * itself. It is built when it is first asked for and kept in the user's cache, by the content of
 * the source and of the runtime, and by the configuration.
 */
public final class ProgramVariant {
  /** Exit codes beyond it are those of programs that a signal has ended. */
  private static final int ENDED_BY_SIGNAL = 128;

  /** The section of a program that its variant is built from. */
  public static final String SECTION = ProgramSource.SECTION;

  /** What a variant does beside recording. */
  public enum Kind {
    /** It carries labels beside its values. */
    LABELLED("follows data"),
    /** It announces its regions where they start. */
    ANNOUNCING("announces regions");

    private final String deed;

    Kind(String deed) {
      this.deed = deed;
    }

    private List<Instrumentation.Addition> additions(
        Configuration configuration, Demangler demangler) {
      return switch (this) {
        case LABELLED -> List.of(FunctionLabels.addition(), new BranchCoverage());
        case ANNOUNCING -> List.of(new RegionAnnouncements(configuration, demangler));
      };
    }
  }

  private final DriverEnvironment environment;
  private final Kind kind;

  public ProgramVariant(DriverEnvironment environment, Kind kind) {
    this.environment = environment;
    this.kind = kind;
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
    Demangler demangler = new Demangler(toolchain.bundled().program("llvm-cxxfilt"));
    List<Instrumentation.Addition> additions =
        kind.additions(environment.configuration(), demangler);
    int exit =
        new ProgramBuild(there, toolchain, new Programs(there), scratch)
            .observed(source, Optional.empty(), additions, made.toString());
    if (exit != 0) {
      String variant = "the variant of " + name + " that " + kind.deed;
      throw new IOException(
          exit > ENDED_BY_SIGNAL
              ? variant + " is not there: its linker was ended by a signal"
              : variant
                  + " cannot be linked as the program was, in "
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
      digest.update(kind.name().getBytes(StandardCharsets.UTF_8));
      digest.update(environment.configuration().toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
