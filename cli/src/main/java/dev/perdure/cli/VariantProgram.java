package dev.perdure.cli;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.ProgramVariant;
import dev.perdure.model.config.Configuration;
import dev.perdure.target.ProgramFile;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A variant of a program, which follows data or announces its regions.
 *
 * @param file its executable
 * @param name what the program is called otherwise, for its argv[0]
 */
record VariantProgram(Path file, String name) {
  private static final String ENV_PROGRAM_NAME = "PERDURE_PROGRAM_NAME";

  /**
   * The variant of the program that a command starts; empty for one that perdure cc did not build.
   */
  static Optional<VariantProgram> of(
      ProgramVariant.Kind kind, String program, Home home, Configuration configuration) {
    try {
      Path file =
          ProgramFile.find(
                  program,
                  Path.of("").toAbsolutePath(),
                  System.getenv().getOrDefault("PATH", "/usr/bin:/bin"))
              .path();
      Optional<ElfFile> elf = ElfFile.read(file);
      Optional<byte[]> section =
          elf.isPresent() ? elf.get().section(ProgramVariant.SECTION) : Optional.empty();
      if (section.isEmpty()) {
        return Optional.empty();
      }
      Path variant =
          new ProgramVariant(DriverEnvironment.ofProcess(home.path(), configuration), kind)
              .of(section.get(), file.getFileName().toString());
      return Optional.of(new VariantProgram(variant, program));
    } catch (TargetStartException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (IOException e) {
      throw CommandFailure.usage(program + ": " + e.getMessage(), e);
    }
  }

  /** The command with the variant in the program's place. */
  List<String> command(List<String> original) {
    List<String> words = new ArrayList<>(original);
    words.set(0, file.toString());
    return words;
  }

  /** What the variant needs to be told. */
  Map<String, String> environment() {
    return Map.of(ENV_PROGRAM_NAME, name);
  }
}
