package dev.perdure.testkit.litmus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How litmus programs are built and which front end of Perdure observes them. */
interface ProgramBuild {
  /** Builds a program, and says how its places in the source are recognised. */
  Places build(LitmusProgram program, PerdureCommand command, Path binary)
      throws IOException, LitmusFormatException, InterruptedException;

  /** The options that {@code perdure run} needs for it. */
  List<String> runOptions();
}
