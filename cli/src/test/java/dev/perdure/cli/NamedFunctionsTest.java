package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The project's own locks, as perdure.toml names them for the compiler. */
class NamedFunctionsTest {
  private static final String SUSPECTED = "1 persistency-race (1 possible)";

  @TempDir private Path folder;

  @Test
  void shouldTakeNamedFunctionsForLocks() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    assertThat(observe(perdure, perdure.build("named_lock"))).contains(SUSPECTED);
    nameFunctions();
    assertThat(observe(perdure, perdure.build("named_lock"))).contains("no findings");
  }

  @Test
  void shouldTakeNamedFunctionsOfPlainBinariesForLocks() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    Path program = compilePlainly(perdure, "named_lock.c");
    assertThat(observe(perdure, program)).contains("1 persistency-race");
    nameFunctions();

    assertThat(observe(perdure, program)).contains("no findings");
  }

  @ParameterizedTest
  @ValueSource(strings = {"llvm", "binary"})
  void shouldTakeALockOnceThatIsTakenByTrying(String frontEnd) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    Files.writeString(
        folder.resolve("perdure.toml"),
        """
        [sync]
        acquire = ["token_lock"]
        try = [{function = "token_try", success = 1}]
        release = ["token_unlock"]
        """);
    Path program =
        frontEnd.equals("llvm")
            ? perdure.build("token_lock")
            : compilePlainly(perdure, "token_lock.c");

    assertThat(observe(perdure, program)).contains("1 persistency-race (1 observed)");
    assertThat(perdure.run("analyze", "--detect", "lockset", "perdure-out/latest").out())
        .contains(SUSPECTED);
  }

  @Test
  void shouldOrderThreadsBeforeNamedFunctionsThatWaitForThem() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    Path program = perdure.build("named_threads");
    assertThat(observe(perdure, program)).contains("persistency-race");
    nameThreadFunctions();

    program = perdure.build("named_threads");

    assertThat(observe(perdure, program)).contains("no findings");
  }

  @Test
  void shouldOrderThreadsOfPlainBinariesBeforeNamedFunctionsThatWaitForThem() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    Path program = compilePlainly(perdure, "named_threads.c");
    assertThat(observe(perdure, program)).contains("persistency-race");
    nameThreadFunctions();

    assertThat(observe(perdure, program)).contains("no findings");
  }

  @ParameterizedTest
  @ValueSource(strings = {"llvm", "binary"})
  void shouldNotCallNamedFlushesNeedlessThatAreSeenThrough(String frontEnd) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    Files.writeString(
        folder.resolve("perdure.toml"),
        """
        [flush]
        flush = [{ function = "write_back", length = "line" }]
        fence = ["drain"]
        persist = ["save"]
        """);
    Path program =
        frontEnd.equals("llvm")
            ? perdure.build("named_flush")
            : compilePlainly(perdure, "named_flush.c");
    assertThat(observe(perdure, program)).contains("SUMMARY: 1 redundant-flush\n");
    assertThat(perdure.run("analyze", "perdure-out/latest").out())
        .contains("SUMMARY: 1 redundant-flush\n")
        .containsPattern("the flush in main \\(\\w+\\.c:20\\)");
  }

  private static Path compilePlainly(PerdureProcess perdure, String name) throws Exception {
    Path programs = Path.of(System.getProperty("perdure.home"), "cli/src/test/resources/programs");
    String source = Files.readString(programs.resolve(name));
    return perdure.compile("gcc", source, "plain", "-g", "-O1", "-pthread", "-I" + programs);
  }

  private String observe(PerdureProcess perdure, Path program) throws Exception {
    Files.deleteIfExists(folder.resolve("pool"));
    return perdure.run("run", "--quiet", "--pm", "pool", "--", program.toString(), "pool").err();
  }

  private void nameThreadFunctions() throws Exception {
    Files.writeString(
        folder.resolve("perdure.toml"),
        """
        [sync]
        create = [{ function = "spawn", thread = 0 }]
        join = ["await"]
        """);
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
}
