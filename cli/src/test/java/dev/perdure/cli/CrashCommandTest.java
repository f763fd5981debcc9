package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.cli.PerdureProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crash tests as a user runs them. */
class CrashCommandTest {
  @TempDir private static Path programs;
  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeAll
  static void build() throws Exception {
    new PerdureProcess(programs).build("marked");
  }

  @BeforeEach
  void start() {
    perdure = new PerdureProcess(folder);
  }

  private Result crash(String recover, String... options) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("crash", "--out", "run", "--pm", "pool", "--recover", recover));
    words.addAll(List.of(options));
    words.addAll(List.of("--", programs.resolve("marked").toString(), "pool", "write"));
    return perdure.run(words.toArray(String[]::new));
  }

  private JsonNode findings() throws Exception {
    return new ObjectMapper().readTree(folder.resolve("run/findings.json").toFile());
  }

  private String recovery() {
    return programs.resolve("marked") + " {pm} recover";
  }

  @Test
  void shouldNeverChangeThePool() throws Exception {
    Files.write(folder.resolve("pool"), new byte[256]);
    Result result = crash("sh -c 'cat {pm} >> seen; echo spoilt > {pm}; rm {pm}; test ! -e {pm}'");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Files.readAllBytes(folder.resolve("pool"))).isEqualTo(new byte[256]);
    assertThat(Files.readAllBytes(folder.resolve("seen"))).contains(42);
  }

  @Test
  void shouldLeaveNoPoolWhereThereWasNone() throws Exception {
    crash(recovery());
    assertThat(folder.resolve("pool")).doesNotExist();
  }

  @Test
  void shouldReplayARecoveryThatFailed() throws Exception {
    Result result = crash(recovery());
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    JsonNode failure = null;
    for (JsonNode finding : findings().path("findings")) {
      failure = finding.path("kind").asText().equals("recovery-failure") ? finding : failure;
    }
    assertThat(failure).isNotNull();
    assertThat(failure.path("recoveryExit").asInt()).isEqualTo(3);
    assertThat(failure.path("failurePoint").path("image").asText()).isEqualTo("persisted");
    Result again = perdure.run("crash", "--out", "run", "--replay", failure.path("id").asText());
    assertThat(again.exit()).isEqualTo(1);
    assertThat(again.err()).contains("exited with code 3");
    assertThat(again.out()).contains("data 0");
  }

  @Test
  void shouldSayWhenRecoveryCannotBeStarted() throws Exception {
    Result result = crash("./missing {pm}");
    assertThat(result.err()).contains("--recover: ./missing").doesNotContain("\tat ");
    assertThat(result.exit()).isEqualTo(3);
  }

  @Test
  void shouldFollowThePoolThroughSymbolicLinks() throws Exception {
    Files.write(folder.resolve("pool"), new byte[256]);
    Files.createSymbolicLink(folder.resolve("link"), Path.of("pool"));
    Result result = crash("sh -c 'echo spoilt > ./link'");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Files.readAllBytes(folder.resolve("pool"))).isEqualTo(new byte[256]);
  }
}
