package dev.perdure.robust.repair;

import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.llvm.driver.SourceModule;
import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.model.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** C sources as modules, before anything is optimised. */
final class CompiledProgram {
  private CompiledProgram() {}

  static <R> R look(Path folder, String source, SourceModule.Look<R> look) throws IOException {
    Path file = Files.writeString(folder.resolve("program.c"), source);
    return new SourceModule(
            new DriverEnvironment(
                Path.of(System.getProperty("perdure.home")),
                folder,
                CacheDirectory.of(System.getenv()),
                System.getenv(),
                System.err,
                Configuration.EMPTY))
        .look(Mode.C, List.of("-g", file.toString()), look)
        .orElseThrow();
  }
}
