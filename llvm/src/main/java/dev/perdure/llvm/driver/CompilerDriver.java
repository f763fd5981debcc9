package dev.perdure.llvm.driver;

import dev.perdure.llvm.ir.BrokenModuleException;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Stands in for clang and clang++. */
public final class CompilerDriver {
  private static final int USAGE = 2;

  private final DriverEnvironment environment;
  private final Programs programs;

  public CompilerDriver(DriverEnvironment environment) {
    this.environment = environment;
    this.programs = new Programs(environment);
  }

  /** Does what a compiler would do with these arguments and returns the exit code. */
  public int run(Mode mode, List<String> arguments) throws IOException {
    Toolchain toolchain = Toolchain.find(environment.cache());
    List<String> words = new ResponseFiles(environment.workingDirectory()).expand(arguments);
    Invocation invocation = new Invocation(mode, ArgumentReader.read(words));
    Invocation.Task task = invocation.task();
    if (task == Invocation.Task.PASS_THROUGH) {
      return programs.run(clang(toolchain, mode, arguments));
    }
    if (Probe.isProbe(invocation, environment.workingDirectory())) {
      List<String> plain = new ArrayList<>(arguments);
      plain.add("--ld-path=" + toolchain.linker());
      plain.addAll(CompileFlags.quiet());
      return programs.run(clang(toolchain, mode, plain));
    }
    if (task == Invocation.Task.COMPILE) {
      return programs.run(compile(toolchain, invocation));
    }
    if (invocation.isStatic()) {
      environment
          .messages()
          .println(
              "perdure %s: static linking is not supported: the runtime is a shared library; leave out -static"
                  .formatted(mode.command()));
      return USAGE;
    }
    try {
      return new ProgramLink(environment, toolchain, programs).run(invocation);
    } catch (BrokenModuleException e) {
      environment.messages().println("perdure %s: %s".formatted(mode.command(), e.getMessage()));
      return USAGE;
    }
  }

  /** Compiles and links sources, objects and libraries into one instrumented program. */
  public int build(Mode mode, List<String> arguments, Path program) throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("-o", program.toString()));
    return run(mode, all);
  }

  private List<String> compile(Toolchain toolchain, Invocation invocation) {
    List<String> words = new ArrayList<>();
    invocation.arguments().stream()
        .filter(argument -> !CompileFlags.isForLto(argument))
        .forEach(argument -> words.addAll(argument.words()));
    words.addAll(CompileFlags.added(invocation, environment.includes()));
    return clang(toolchain, invocation.mode(), words);
  }

  private static List<String> clang(Toolchain toolchain, Mode mode, List<String> words) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(mode.clangArguments());
    command.addAll(words);
    return command;
  }
}
