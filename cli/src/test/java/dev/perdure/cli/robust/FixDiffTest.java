package dev.perdure.cli.robust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.PerdureProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixDiffTest {
  @TempDir Path folder;

  private static String resource(String name) throws Exception {
    return Files.readString(Path.of("src/test/resources/programs", name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"crowded_lines.c", "atomic_conditions.c"})
  void shouldRepairStoresInCrowdedLinesAndAtomicLoadsInConditions(String name) throws Exception {
    Files.writeString(folder.resolve("pm.h"), resource("pm.h"));
    shouldRepair(resource(name));
  }

  @Test
  void shouldRepairRandomFunctions() throws Exception {
    shouldRepair(RandomPmProgram.generate(17, 30, 0, false));
  }

  private void shouldRepair(String program) throws Exception {
    Path source = folder.resolve("program.c");
    Files.writeString(source, program);
    assertThat(findings()).contains("missing-flush");

    var fixed =
        new PerdureProcess(folder)
            .run("fix", "--diff", "p.patch", "-pthread", "program.c", "-o", "repaired");
    assertThat(fixed.exit()).as(fixed.err()).isZero();
    Process apply =
        new ProcessBuilder("git", "apply", "-p0", "p.patch")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(apply.getInputStream().readAllBytes())).isEmpty();
    assertThat(apply.waitFor()).isZero();

    assertThat(Files.readString(source))
        .contains("#include <perdure_flush.h>")
        .doesNotContain("flush here");
    assertThat(findings()).doesNotContain("missing-");
  }

  /** What a run of the program as it is shows about its flushes. */
  private String findings() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    var built = perdure.run("cc", "-g", "-O1", "-pthread", "program.c", "-o", "program");
    assertThat(built.exit()).as(built.err()).isZero();
    Files.deleteIfExists(folder.resolve("pool"));
    perdure.run(
        "run", "--detect", "flush", "--out", "out", "--pm", "pool", "--", "./program", "pool");
    return Files.readString(folder.resolve("out/findings.json"));
  }
}
