package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project's own locks, as perdure.toml names them for the compiler. */
class NamedFunctionsTest {
  private static final String SUSPECTED = "1 persistency-race (1 possible)";

  @TempDir private Path folder;

  @Test
  void shouldTakeNamedFunctionsForLocks() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    assertThat(findings(perdure)).contains(SUSPECTED);
    Files.delete(folder.resolve("pool"));
    nameFunctions();
    assertThat(findings(perdure)).contains("no findings");
  }

  @Test
  void shouldTakeNamedFunctionsOfPlainBinariesForLocks() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    Path programs = Path.of(System.getProperty("perdure.home"), "cli/src/test/resources/programs");
    String source = Files.readString(programs.resolve("named_lock.c"));
    perdure.compile("gcc", source, "plain", "-g", "-O1", "-pthread", "-I" + programs);
    nameFunctions();

    var result = perdure.run("run", "--quiet", "--pm", "pool", "--", "./plain", "pool");

    assertThat(result.err()).contains("no findings");
    Files.delete(folder.resolve("perdure.toml"));
    Files.delete(folder.resolve("pool"));
    var unnamed = perdure.run("run", "--quiet", "--pm", "pool", "--", "./plain", "pool");
    assertThat(unnamed.err()).contains("1 persistency-race");
  }

  private void nameFunctions() throws Exception {
    Files.writeString(
        folder.resolve("perdure.toml"),
        """
        [sync]
        acquire = [{ function = "take_turn", lock = 0 }]
        release = [{ function = "end_turn", lock = 0 }]
        """);
  }

  private static String findings(PerdureProcess perdure) throws Exception {
    Path program = perdure.build("named_lock");
    return perdure.run("run", "--quiet", "--pm", "pool", "--", program.toString(), "pool").err();
  }
}
