package dev.perdure.llvm.driver;

import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles the sources on a link's command line, several at a time, into a scratch folder. */
final class SourceCompilation {
  private final DriverEnvironment environment;
  private final Toolchain toolchain;
  private final Programs programs;
  private final Scratch scratch;
  private final Treatment treatment;

  SourceCompilation(
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

  /** The result: the arguments with objects in place of sources, or an exit code. */
  record Result(List<Argument> arguments, int exit) {}

  Result compile(Invocation invocation) throws IOException {
    List<Argument> replaced = new ArrayList<>();
    List<Process> running = new ArrayList<>();
    int most = Runtime.getRuntime().availableProcessors();
    int exit = 0;
    for (Argument argument : invocation.arguments()) {
      InputKind kind =
          argument instanceof Argument.Input input
              ? InputKind.of(input, environment.workingDirectory())
              : InputKind.NATIVE;
      if (kind != InputKind.SOURCE && kind != InputKind.ASSEMBLY) {
        replaced.add(argument);
        continue;
      }
      Argument.Input input = (Argument.Input) argument;
      Path object = scratch.file("source%d.o".formatted(replaced.size()));
      if (running.size() >= most) {
        exit = Math.max(exit, programs.await(running.remove(0)));
      }
      running.add(programs.start(command(invocation, input, object)));
      replaced.add(new Argument.Input(object.toString(), "none"));
    }
    for (Process process : running) {
      exit = Math.max(exit, programs.await(process));
    }
    return new Result(replaced, exit);
  }

  private List<String> command(Invocation invocation, Argument.Input source, Path object) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(invocation.mode().clangArguments());
    invocation
        .options()
        .filter(o -> !CompileFlags.isForLto(o))
        .forEach(o -> command.addAll(o.words()));
    command.addAll(List.of("-c", "-o", object.toString()));
    command.addAll(source.words());
    command.addAll(CompileFlags.added(invocation, environment));
    command.addAll(CompileFlags.treated(invocation, treatment));
    command.addAll(dependencies(invocation));
    return command;
  }

  /** Dependency files speak of the program, not of the scratch object. */
  private static List<String> dependencies(Invocation invocation) {
    List<String> flags = new ArrayList<>();
    boolean wanted = invocation.hasOption(name -> name.equals("-MD") || name.equals("-MMD"));
    String output = invocation.output().orElse("a.out");
    if (wanted && !invocation.hasOption("-MF"::equals)) {
      flags.addAll(List.of("-MF", output.replaceFirst("\\.[^./]*$", "") + ".d"));
    }
    if (wanted && !invocation.hasOption(name -> name.equals("-MT") || name.equals("-MQ"))) {
      flags.addAll(List.of("-MT", output));
    }
    return flags;
  }
}
