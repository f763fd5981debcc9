package dev.perdure.llvm.driver;

import dev.perdure.llvm.instrument.Instrumentation;
import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.LlvmLibraries;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Links a program or shared library in two steps: all bitcode into one module, then the treated
 * module with the native inputs and, if it is observed, the runtime.
 */
final class ProgramLink {
  private static final Pattern OPTIMISATION = Pattern.compile("-O.*");

  /**
   * The code was optimised when it was compiled: only the hooks are new. (On sqlite, all of -O2
   * once more takes twice as long and gives a program that is 2 % faster.)
   */
  private static final String PASSES = "always-inline,function(early-cse,simplifycfg),globaldce";

  /** Options that matter when the merged module is turned into machine code. */
  private static final Pattern CODE_GENERATION =
      Pattern.compile("-m.*|--target=.*|-target|-fno-(vectorize|slp-vectorize|unroll-loops)");

  private final DriverEnvironment environment;
  private final Toolchain toolchain;
  private final Programs programs;
  private final Scratch scratch;
  private final Treatment treatment;

  ProgramLink(
      DriverEnvironment environment,
      Toolchain toolchain,
      Programs programs,
      Scratch scratch,
      Treatment treatment) {
    this.environment = environment;
    this.toolchain = toolchain;
    this.programs = programs;
    this.scratch = scratch;
    this.treatment = treatment;
  }

  int run(Invocation invocation) throws IOException {
    var compiled =
        new SourceCompilation(environment, toolchain, programs, scratch, treatment)
            .compile(invocation);
    if (compiled.exit() != 0) {
      return compiled.exit();
    }
    List<Argument> arguments = linkArguments(compiled.arguments());
    LinkInputs inputs =
        new LinkInputs(environment, new NativeArchives(toolchain, programs, scratch));
    inputs.read(arguments);
    String output = invocation.output().orElse("a.out");
    if (!inputs.hasBitcode()) {
      return programs.run(link(invocation, arguments, output));
    }
    if (invocation.task() == Invocation.Task.RELOCATABLE_LINK) {
      return new RelocatableLink(environment, programs)
          .run(inputs, merge(invocation, arguments, output), link(invocation, arguments, output));
    }
    Path merged = scratch.file("merged.bc");
    Process merging = programs.start(merge(invocation, arguments, merged.toString()));
    LlvmLibraries.load(toolchain.bundled());
    int exit = programs.await(merging);
    if (exit != 0) {
      return exit;
    }
    Path object = scratch.file("instrumented.o");
    List<String> compilation = treat(invocation, merged, object);
    if (treatment.product() == Treatment.Product.NONE) {
      return 0;
    }
    exit = programs.run(compilation);
    if (exit != 0) {
      return exit;
    }
    List<Argument> second = new ArrayList<>();
    second.add(new Argument.Input(object.toString(), "none"));
    if (treatment.observes()) {
      second.add(new Argument.Input(environment.runtime().toString(), "none"));
    }
    second.addAll(inputs.forSecondLink());
    if (treatment.observes()) {
      second.add(new Argument.LinkerWord("-rpath"));
      second.add(new Argument.LinkerWord(environment.runtime().getParent().toString()));
    }
    return programs.run(link(invocation, second, output));
  }

  private static List<Argument> linkArguments(List<Argument> arguments) {
    return arguments.stream()
        .filter(argument -> !(argument instanceof Argument.Output))
        .filter(argument -> !CompileFlags.isForLto(argument))
        .filter(argument -> !CompileFlags.choosesLinker(argument))
        .toList();
  }

  /** The first link: lld resolves archives and symbols and writes the merged bitcode. */
  private List<String> merge(Invocation invocation, List<Argument> arguments, String output)
      throws IOException {
    List<Argument> first = new ArrayList<>();
    if (invocation.task() == Invocation.Task.LINK && treatment.observes()) {
      first.add(new Argument.Input(environment.runtime().toString(), "none"));
    }
    first.addAll(arguments);
    first.add(new Argument.LinkerWord("--lto-emit-llvm"));
    first.add(new Argument.LinkerWord("--lto-O0"));
    return link(invocation, first, output);
  }

  private List<String> link(Invocation invocation, List<Argument> arguments, String output)
      throws IOException {
    List<String> words = new ArrayList<>(invocation.mode().clangArguments());
    arguments.forEach(argument -> words.addAll(argument.words()));
    words.add("--ld-path=" + toolchain.linker());
    words.addAll(CompileFlags.quiet());
    words.addAll(List.of("-o", output));
    Path file = scratch.file("link.arguments");
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(ResponseFiles.shortened(words, file));
    return command;
  }

  /** Works on the merged module and returns the command that compiles it. */
  private List<String> treat(Invocation invocation, Path merged, Path object) throws IOException {
    Path instrumented = scratch.file("instrumented.bc");
    Demangler demangler = new Demangler(toolchain.bundled().program("llvm-cxxfilt"));
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    try (BitcodeModule module = BitcodeModule.read(merged)) {
      String level = optimisation(invocation, module);
      command.add(level);
      command.add(module.positionIndependent() ? "-fPIC" : "-fno-pic");
      if (treatment.pass().isPresent()) {
        treatment.pass().get().apply(module, demangler);
      }
      if (treatment.observes()) {
        if (treatment.pass().isPresent() && !level.equals("-O0")) {
          module.run("default<" + pipelineLevel(level) + ">");
        }
        new Instrumentation(environment.configuration(), demangler)
            .instrument(module, scratch.file("sites"));
        if (!level.equals("-O0")) {
          module.run(PASSES);
          command.addAll(List.of("-Xclang", "-disable-llvm-passes"));
        }
      }
      module.write(instrumented);
    }
    invocation
        .options()
        .filter(option -> CODE_GENERATION.matcher(option.name()).matches())
        .forEach(option -> command.addAll(option.words()));
    command.addAll(List.of("-ffunction-sections", "-fdata-sections"));
    command.addAll(List.of("-c", "-x", "ir", instrumented.toString(), "-o", object.toString()));
    command.addAll(CompileFlags.quiet());
    return command;
  }

  /** The name that LLVM's pipelines have for one of clang's levels. */
  private static String pipelineLevel(String level) {
    return switch (level) {
      case "-O2", "-O3", "-Os", "-Oz" -> level.substring(1);
      case "-O4", "-Ofast" -> "O3";
      default -> "O1";
    };
  }

  /** The level of the link's own command line; without one, that of the objects. */
  private String optimisation(Invocation invocation, BitcodeModule module) {
    return invocation
        .options()
        .map(Argument.Option::name)
        .filter(OPTIMISATION.asMatchPredicate())
        .reduce((first, second) -> second)
        .orElseGet(
            () ->
                module.functions().stream().anyMatch(f -> f.hasBody() && !f.has(Attribute.OPTNONE))
                    ? treatment.pass().isPresent() ? "-O1" : "-O2"
                    : "-O0");
  }
}
