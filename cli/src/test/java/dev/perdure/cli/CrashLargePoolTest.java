package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.cli.PerdureProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of large pools stay from run to run: nothing of one recovery may be seen by the next. */
class CrashLargePoolTest {
  private static final int WAYS = 16;
  @TempDir private Path folder;

  @Test
  void shouldGiveEveryRecoveryItsImageWhateverTheOnesBeforeDid() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    Path program = perdure.build("spoiler");
    assertThat(
            new ProcessBuilder(program.toString(), folder.resolve("pool").toString(), "fill")
                .start()
                .waitFor())
        .isZero();
    byte[] before = Files.readAllBytes(folder.resolve("pool"));
    Result result =
        perdure.run(
            "crash",
            "--out",
            "run",
            "--pm",
            "pool",
            "--jobs",
            "1",
            "--images",
            "latest",
            "--recover",
            program + " {pm} recover",
            "--",
            program.toString(),
            "pool",
            "write");
    assertThat(result.err()).contains("recovery runs");
    assertThat(Integer.parseInt(Files.readString(folder.resolve("ways")).strip()))
        .as("each way comes twice, so that something follows the last one")
        .isGreaterThan(2 * WAYS);
    assertThat(ends()).as(result.err()).containsExactly("signal 6", "signal 9");
    assertThat(Files.readAllBytes(folder.resolve("pool"))).isEqualTo(before);
  }

  /** How recoveries failed: by the two signals that they send themselves. */
  private Set<String> ends() throws Exception {
    Set<String> ends = new TreeSet<>();
    JsonNode findings = new ObjectMapper().readTree(folder.resolve("run/findings.json").toFile());
    for (JsonNode finding : findings.path("findings")) {
      if (finding.path("kind").asText().equals("recovery-failure")) {
        ends.add(
            finding.has("recoverySignal")
                ? "signal " + finding.path("recoverySignal").asInt()
                : "exit " + finding.path("recoveryExit").asInt());
      }
    }
    return ends;
  }
}
