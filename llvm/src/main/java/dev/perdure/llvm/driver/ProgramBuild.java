package dev.perdure.llvm.driver;

import dev.perdure.llvm.instrument.Instrumentation;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compiles a merged module and links it with the native inputs; an observed program is instrumented
 * before and has the runtime beside.
 */
final class ProgramBuild {
  /**
   * The code was optimised when it was compiled: only the hooks are new. (On sqlite, all of -O2
   * once more takes twice as long and gives a program that is 2 % faster.)
   */
  private static final String PASSES = "always-inline,function(early-cse,simplifycfg),globaldce";

  private final DriverEnvironment environment;
  private final Toolchain toolchain;
  private final Programs programs;
  private final Scratch scratch;

  ProgramBuild(
      DriverEnvironment environment, Toolchain toolchain, Programs programs, Scratch scratch) {
    this.environment = environment;
    this.toolchain = toolchain;
    this.programs = programs;
    this.scratch = scratch;
  }

  /**
   * Builds a program that announces its accesses, and returns the exit code of the step that
   * failed, or 0.
   *
   * @param kept the archive of the source that the program keeps in itself, if it does
   * @param additions what is inserted beside the hooks of events
   */
  int observed(
      ProgramSource source,
      Optional<Path> kept,
      List<Instrumentation.Addition> additions,
      String output)
      throws IOException {
    Path object = scratch.file("instrumented.o");
    int exit = programs.run(instrumented(source, kept, additions, object));
    if (exit != 0) {
      return exit;
    }
    List<String> words = new ArrayList<>();
    words.add(object.toString());
    words.add(environment.runtime().toString());
    words.addAll(source.linkWords());
    words.addAll(AtomicFunctions.library(object));
    words.addAll(List.of("-Xlinker", "-rpath"));
    words.addAll(List.of("-Xlinker", environment.runtime().getParent().toString()));
    return programs.run(link(words, output));
  }

  /** Builds a program as any compiler makes it; returns the exit code as {@link #observed} does. */
  int plain(ProgramSource source, String output) throws IOException {
    Path object = scratch.file("plain.o");
    List<String> options;
    try (BitcodeModule module = BitcodeModule.read(source.bitcode())) {
      options = List.of(source.optimisation(module, "-O2"), codeModel(module));
    }
    int exit = programs.run(compilation(source, source.bitcode(), options, object));
    if (exit != 0) {
      return exit;
    }
    List<String> words = new ArrayList<>(List.of(object.toString()));
    words.addAll(source.linkWords());
    words.addAll(AtomicFunctions.library(object));
    return programs.run(link(words, output));
  }

  /** Instruments the module and returns the command that compiles it. */
  private List<String> instrumented(
      ProgramSource source,
      Optional<Path> kept,
      List<Instrumentation.Addition> additions,
      Path object)
      throws IOException {
    Path instrumented = scratch.file("instrumented.bc");
    Demangler demangler = new Demangler(toolchain.bundled().program("llvm-cxxfilt"));
    List<String> options = new ArrayList<>();
    try (BitcodeModule module = BitcodeModule.read(source.bitcode())) {
      String level = source.optimisation(module, "-O2");
      options.addAll(List.of(level, codeModel(module)));
      Instrumentation instrumentation = new Instrumentation(environment.configuration(), demangler);
      instrumentation.instrument(module, scratch.file("sites"), kept, additions);
      if (!instrumentation.unseenNames().isEmpty()) {
        environment
            .messages()
            .printf(
                "perdure: warning: %s: named in the configuration, but the program has no call that"
                    + " can be recorded%n",
                String.join(", ", instrumentation.unseenNames()));
      }
      if (!level.equals("-O0")) {
        module.run(PASSES);
        options.addAll(List.of("-Xclang", "-disable-llvm-passes"));
      }
      module.write(instrumented);
    }
    return compilation(source, instrumented, options, object);
  }

  private static String codeModel(BitcodeModule module) {
    return module.positionIndependent() ? "-fPIC" : "-fno-pic";
  }

  private List<String> compilation(
      ProgramSource source, Path bitcode, List<String> options, Path object) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(source.compileWords());
    command.addAll(options);
    command.addAll(List.of("-ffunction-sections", "-fdata-sections"));
    command.addAll(List.of("-c", "-x", "ir", bitcode.toString(), "-o", object.toString()));
    command.addAll(CompileFlags.quiet());
    return command;
  }

  private List<String> link(List<String> inputs, String output) throws IOException {
    List<String> words = new ArrayList<>(inputs);
    words.add("--ld-path=" + toolchain.linker());
    words.addAll(CompileFlags.quiet());
    words.addAll(List.of("-o", output));
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(ResponseFiles.shortened(words, scratch.file("link.arguments")));
    return command;
  }
}
