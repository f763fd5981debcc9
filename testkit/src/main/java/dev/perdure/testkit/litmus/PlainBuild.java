package dev.perdure.testkit.litmus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds with a plain compiler: {@code --frontend binary}.
 *
 * @param compiler the command, such as {@code gcc -g -O1}
 * @param header the folder of perdure.h
 * @param withoutDebugInformation takes it away from the program that runs; then places are judged
 *     by the functions around them
 */
record PlainBuild(List<String> compiler, Path include, Path header, boolean withoutDebugInformation)
    implements ProgramBuild {

  @Override
  public Places build(LitmusProgram program, PerdureCommand command, Path binary)
      throws IOException, LitmusFormatException, InterruptedException {
    List<String> words = new ArrayList<>(compiler);
    if (program.cxx()) {
      words.set(0, cxx(words.get(0)));
    }
    if (withoutDebugInformation) {
      words.add("-g");
    }
    words.addAll(List.of("-pthread", "-I", include.toString(), "-I", header.toString()));
    words.addAll(List.of(program.path().toString(), "-o", binary.toString()));
    words.addAll(ShellWords.split(program.setting("libs")));
    command.other(words);
    if (!withoutDebugInformation) {
      return new Places.ByLine(program.base());
    }
    Path described = binary.resolveSibling("described");
    Files.copy(binary, described);
    command.other(List.of("strip", "--strip-debug", binary.toString()));
    return Places.ByFunction.of(described, program.base());
  }

  /** {@code clang-19} is clang and not gcc with another ending: {@code clang++-19}. */
  private static String cxx(String compiler) {
    return compiler.contains("clang")
        ? compiler.replace("clang", "clang++")
        : compiler.replace("gcc", "g++");
  }

  @Override
  public List<String> runOptions() {
    return List.of("--frontend", "binary");
  }
}
