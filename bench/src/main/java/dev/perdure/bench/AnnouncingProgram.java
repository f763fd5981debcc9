package dev.perdure.bench;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.ProgramVariant;
import dev.perdure.model.config.Configuration;
import java.io.IOException;
import java.nio.file.Path;

/** The variant of a program built with perdure cc that announces its regions where they start. */
final class AnnouncingProgram {
  private AnnouncingProgram() {}

  static Path of(Path home, Path program) throws IOException {
    byte[] section =
        ElfFile.read(program).orElseThrow().section(ProgramVariant.SECTION).orElseThrow();
    DriverEnvironment environment = DriverEnvironment.ofProcess(home, Configuration.EMPTY);
    return new ProgramVariant(environment, ProgramVariant.Kind.ANNOUNCING)
        .of(section, program.getFileName().toString());
  }
}
