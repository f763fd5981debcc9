package dev.perdure.testkit.litmus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Builds with {@code perdure cc}: {@code --frontend llvm}. */
record InstrumentedBuild(Path include) implements ProgramBuild {
  @Override
  public Places build(LitmusProgram program, PerdureCommand command, Path binary)
      throws IOException, LitmusFormatException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(program.cxx() ? "c++" : "cc"));
    words.addAll(List.of("-g", "-O1", "-pthread", "-I", include.toString()));
    words.addAll(List.of(program.path().toString(), "-o", binary.toString()));
    words.addAll(ShellWords.split(program.setting("libs")));
    command.run(words, Set.of(0));
    return new Places.ByLine(program.base());
  }

  @Override
  public List<String> runOptions() {
    return List.of();
  }
}
