package dev.perdure.llvm.driver;

import dev.perdure.llvm.ir.LlvmLibraries;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Links a program or shared library in two steps: all bitcode into one module, then the treated
 * module with the native inputs and, if it is observed, the runtime.
 */
final class ProgramLink {
  /** Options that matter when the merged module is turned into machine code. */
  private static final Pattern COMPILATION =
      Pattern.compile("-O.*|-m.*|--target=.*|-target|-fno-(vectorize|slp-vectorize|unroll-loops)");

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
    List<String> linkWords = new ArrayList<>(invocation.mode().clangArguments());
    inputs.forSecondLink().forEach(argument -> linkWords.addAll(argument.words()));
    ProgramSource source =
        new ProgramSource(
            merged, compileWords(invocation), linkWords, environment.workingDirectory());
    if (treatment.pass().isPresent()) {
      source = new PassRun(toolchain, scratch, treatment).over(source, treatment.pass().get());
    }
    ProgramBuild build = new ProgramBuild(environment, toolchain, programs, scratch);
    return switch (treatment.product()) {
      case OBSERVED ->
          build.observed(source, Optional.of(source.write(scratch)), List.of(), output);
      case PLAIN -> build.plain(source, output);
      case NONE -> 0;
    };
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

  /** The options that matter when the merged module is compiled, optimisation levels included. */
  private static List<String> compileWords(Invocation invocation) {
    List<String> words = new ArrayList<>();
    invocation
        .options()
        .filter(option -> COMPILATION.matcher(option.name()).matches())
        .forEach(option -> words.addAll(option.words()));
    return words;
  }
}
