package dev.perdure.cli;

import dev.perdure.llvm.driver.CompilerDriver;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.model.config.Configuration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The stand-ins for clang and clang++. */
final class CompilerCommand {
  private CompilerCommand() {}

  /** As {@code CC}. */
  @Command(
      name = "cc",
      description =
          "Stand-in for clang: builds a program that can be observed (also bin/perdure-cc, for CC=).",
      customSynopsis = "perdure cc ARGS…")
  static final class C implements Callable<Integer> {
    @Parameters(paramLabel = "ARGS", description = "what clang takes", hidden = true)
    private List<String> args = new ArrayList<>();

    @Override
    public Integer call() {
      return compile(false, args);
    }
  }

  /** As {@code CXX}. */
  @Command(
      name = "c++",
      description = "Stand-in for clang++ (also bin/perdure-c++, for CXX=).",
      customSynopsis = "perdure c++ ARGS…")
  static final class Cxx implements Callable<Integer> {
    @Parameters(paramLabel = "ARGS", description = "what clang++ takes", hidden = true)
    private List<String> args = new ArrayList<>();

    @Override
    public Integer call() {
      return compile(true, args);
    }
  }

  static int compile(boolean cxx, List<String> args) {
    try {
      return new CompilerDriver(
              DriverEnvironment.ofProcess(Home.ofLauncher().path(), configuration()))
          .run(cxx ? Mode.CXX : Mode.C, args);
    } catch (IOException e) {
      throw CommandFailure.usage((cxx ? "c++: " : "cc: ") + e.getMessage(), e);
    }
  }

  /** A build that changes directories names its configuration in the environment. */
  private static Configuration configuration() {
    String named = System.getenv("PERDURE_CONFIG");
    return Project.configuration(named == null ? null : Path.of(named));
  }
}
