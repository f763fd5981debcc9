package dev.perdure.llvm.driver;

import dev.perdure.llvm.ir.BrokenModuleException;
import dev.perdure.llvm.toolchain.OpenMpRuntime;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Stands in for clang and clang++. */
public final class CompilerDriver {
  private static final int USAGE = 2;
  private static final Set<String> OPENMP = Set.of("-fopenmp", "-fopenmp=libomp");

  private final DriverEnvironment environment;
  private final Programs programs;

  public CompilerDriver(DriverEnvironment environment) {
    this.environment = environment;
    this.programs = new Programs(environment);
  }

  /** Does what a compiler would do with these arguments and returns the exit code. */
  public int run(Mode mode, List<String> arguments) throws IOException {
    return run(mode, arguments, Treatment.OBSERVED);
  }

  /** As a compiler that treats the linked program in its own way. */
  public int run(Mode mode, List<String> arguments, Treatment treatment) throws IOException {
    Toolchain toolchain = Toolchain.find(environment.cache());
    List<String> words = new ResponseFiles(environment.workingDirectory()).expand(arguments);
    Invocation invocation = new Invocation(mode, ArgumentReader.read(words));
    Invocation.Task task = invocation.task();
    if (task == Invocation.Task.PASS_THROUGH) {
      return programs.run(clang(toolchain, mode, arguments));
    }
    if (invocation.hasOption(OPENMP::contains)
        && !hasOpenMp(toolchain, invocation)
        && task != Invocation.Task.COMPILE) {
      return refuse(
          mode,
          "-fopenmp needs LLVM's OpenMP library (libomp.so and omp.h), which is not installed: install libomp-dev, or"
              + " build with gcc and run the plain program");
    }
    if (Probe.isProbe(invocation, environment.workingDirectory())) {
      List<String> plain = new ArrayList<>(arguments);
      plain.add("--ld-path=" + toolchain.linker());
      plain.addAll(CompileFlags.quiet());
      return programs.run(clang(toolchain, mode, plain));
    }
    if (task == Invocation.Task.COMPILE) {
      return programs.run(compile(toolchain, invocation, treatment));
    }
    Optional<String> obstacle = obstacle(invocation, treatment);
    if (obstacle.isPresent()) {
      return refuse(mode, obstacle.get());
    }
    try (Scratch scratch = Scratch.create()) {
      return new ProgramLink(environment, toolchain, programs, scratch, treatment).run(invocation);
    } catch (BrokenModuleException e) {
      return refuse(mode, e.getMessage());
    }
  }

  private Optional<String> obstacle(Invocation invocation, Treatment treatment) {
    if (invocation.isStatic() && treatment.observes()) {
      return Optional.of(
          "static linking is not supported: the runtime is a shared library; leave out -static");
    } else if (invocation.hasOption(name -> name.equals("-m32") || name.equals("-mx32"))) {
      return Optional.of("only 64-bit programs are supported; leave out -m32");
    } else if (treatment.observes() && !Files.exists(environment.runtime())) {
      return Optional.of(
          environment.runtime() + " is missing; native/build.sh in Perdure's folder makes it");
    }
    return Optional.empty();
  }

  private boolean hasOpenMp(Toolchain toolchain, Invocation invocation) throws IOException {
    Stream<String> named =
        Stream.concat(
            Stream.of(environment.variables().getOrDefault("LIBRARY_PATH", "").split(":")),
            invocation.options().map(option -> String.join("", option.words())));
    return named
            .filter(name -> name.startsWith("-L") || name.startsWith("/"))
            .map(name -> name.startsWith("-L") ? name.substring(2) : name)
            .anyMatch(name -> OpenMpRuntime.isIn(environment.workingDirectory().resolve(name)))
        || OpenMpRuntime.of(toolchain).provide();
  }

  private int refuse(Mode mode, String why) {
    environment.messages().println("perdure %s: %s".formatted(mode.command(), why));
    return USAGE;
  }

  /** Compiles and links sources, objects and libraries into one instrumented program. */
  public int build(Mode mode, List<String> arguments, Path program) throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("-o", program.toString()));
    return run(mode, all);
  }

  private List<String> compile(Toolchain toolchain, Invocation invocation, Treatment treatment) {
    List<String> words = new ArrayList<>();
    invocation.arguments().stream()
        .filter(argument -> !CompileFlags.isForLto(argument))
        .forEach(argument -> words.addAll(argument.words()));
    words.addAll(CompileFlags.added(invocation, environment));
    words.addAll(CompileFlags.treated(invocation, treatment));
    return clang(toolchain, invocation.mode(), words);
  }

  private static List<String> clang(Toolchain toolchain, Mode mode, List<String> words) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(mode.clangArguments());
    command.addAll(words);
    return command;
  }
}
