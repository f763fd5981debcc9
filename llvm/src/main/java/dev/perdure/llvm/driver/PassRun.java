package dev.perdure.llvm.driver;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Has the pass of a treatment work on a merged module. A program that is observed is optimised
 * right after, before the hooks come in; any other one when it is compiled.
 */
final class PassRun {
  private final Toolchain toolchain;
  private final Scratch scratch;
  private final Treatment treatment;

  PassRun(Toolchain toolchain, Scratch scratch, Treatment treatment) {
    this.toolchain = toolchain;
    this.scratch = scratch;
    this.treatment = treatment;
  }

  /** The source of the program that the pass makes, with the level that it is compiled at. */
  ProgramSource over(ProgramSource source, ModulePass pass) throws IOException {
    Path treated = scratch.file("treated.bc");
    try (BitcodeModule module = BitcodeModule.read(source.bitcode())) {
      String level = source.optimisation(module, "-O1");
      pass.apply(module, new Demangler(toolchain.bundled().program("llvm-cxxfilt")));
      if (treatment.observes() && !level.equals("-O0")) {
        module.run("default<" + pipelineLevel(level) + ">");
      }
      module.write(treated);
      return source.with(treated, List.of(level));
    }
  }

  /** The name that LLVM's pipelines have for one of clang's levels. */
  private static String pipelineLevel(String level) {
    return switch (level) {
      case "-O2", "-O3", "-Os", "-Oz" -> level.substring(1);
      case "-O4", "-Ofast" -> "O3";
      default -> "O1";
    };
  }
}
