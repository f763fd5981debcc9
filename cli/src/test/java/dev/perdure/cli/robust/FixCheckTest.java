package dev.perdure.cli.robust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.PerdureProcess;
import dev.perdure.testkit.golden.GoldenFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixCheckTest {
  @TempDir Path folder;

  @BeforeEach
  void copyProgram() throws Exception {
    Files.copy(Path.of("src/test/resources/programs/torn_push.c"), folder.resolve("torn_push.c"));
  }

  @Test
  void shouldReportViolationsWithTheirPaths() throws Exception {
    var checked = new PerdureProcess(folder).run("fix", "--check", "torn_push.c");

    assertThat(checked.exit()).as(checked.err()).isEqualTo(1);
    GoldenFile.at(Path.of("src/test/golden/fix_check.txt")).assertMatches(checked.out());
  }

  @Test
  void shouldRefuseStripWithoutFix() throws Exception {
    var built = new PerdureProcess(folder).run("cc", "--strip", "torn_push.c", "-o", "program");

    assertThat(built.exit()).isEqualTo(2);
    assertThat(built.err()).contains("--strip belongs to --fix");
  }

  @Test
  void shouldTakeOutTheProgramsOwnFlushes() throws Exception {
    var built =
        new PerdureProcess(folder)
            .run("fix", "--strip", "-pthread", "torn_push.c", "-o", "program");

    assertThat(built.exit()).as(built.err()).isZero();
    assertThat(built.out()).contains("took out 1 of the program's own flushes and fences");
  }

  @Test
  void shouldGoOnReadingWhatALoopAroundAStrippedFenceWaitsFor() throws Exception {
    Path source = Path.of("src/test/resources/programs/waits_for_signal.c").toAbsolutePath();
    var built =
        new PerdureProcess(folder).run("fix", "--strip", "-O2", source.toString(), "-o", "program");

    assertThat(built.exit()).as(built.err()).isZero();
    assertThat(built.out()).contains("took out 1 of the program's own flushes and fences");
    Process waiting = new ProcessBuilder(folder.resolve("program").toString()).start();
    assertThat(waiting.waitFor()).isZero();
  }
}
