package dev.perdure.llvm.driver;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.LlvmLibraries;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compiles sources into one module that is looked at and thrown away: nothing is linked or run. */
public final class SourceModule {
  private static final String DEFAULT_LEVEL = "-O1";

  private final DriverEnvironment environment;

  public SourceModule(DriverEnvironment environment) {
    this.environment = environment;
  }

  /** What to do with the module; it is closed afterwards. */
  public interface Look<R> {
    R at(BitcodeModule module, Demangler demangler) throws IOException;
  }

  /**
   * Compiles with the arguments of a compiler and looks at the result; empty where a source does
   * not compile. The compiler has said why.
   */
  public <R> Optional<R> look(Mode mode, List<String> arguments, Look<R> look) throws IOException {
    Toolchain toolchain = Toolchain.find(environment.cache());
    List<String> words = new ArrayList<>();
    if (arguments.stream().noneMatch(word -> word.startsWith("-O"))) {
      words.add(DEFAULT_LEVEL);
    }
    words.addAll(new ResponseFiles(environment.workingDirectory()).expand(arguments));
    Invocation invocation = new Invocation(mode, ArgumentReader.read(words));
    try (Scratch scratch = Scratch.create()) {
      var compiled =
          new SourceCompilation(
                  environment, toolchain, new Programs(environment), scratch, Treatment.OBSERVED)
              .compile(invocation);
      if (compiled.exit() != 0) {
        return Optional.empty();
      }
      LlvmLibraries.load(toolchain.bundled());
      List<Path> objects =
          compiled.arguments().stream()
              .filter(Argument.Input.class::isInstance)
              .map(input -> Path.of(((Argument.Input) input).path()))
              .toList();
      try (BitcodeModule module = BitcodeModule.read(objects.get(0))) {
        for (Path further : objects.subList(1, objects.size())) {
          module.link(further);
        }
        Demangler demangler = new Demangler(toolchain.bundled().program("llvm-cxxfilt"));
        return Optional.of(look.at(module, demangler));
      }
    }
  }
}
