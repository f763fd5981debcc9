package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.cli.PerdureProcess.Result;
import dev.perdure.target.FileTree;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches as a user runs them. */
class FuzzCommandTest {
  private static final Path HOME = Path.of(System.getProperty("perdure.home"));

  @TempDir private static Path programs;
  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeAll
  static void build() throws Exception {
    new PerdureProcess(programs).build("fragile");
    new PerdureProcess(programs).build("counter_server");
  }

  @BeforeEach
  void prepare() throws Exception {
    perdure = new PerdureProcess(folder);
    Files.createDirectories(folder.resolve("pools"));
    Files.write(folder.resolve("pools/pool"), new byte[4096]);
    Files.createDirectories(folder.resolve("seeds"));
  }

  private Result fuzz(String... options) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("fuzz", "--out", "run", "--pm", "pools", "--seeds", "seeds"));
    words.addAll(List.of(options));
    words.addAll(List.of("--", programs.resolve("fragile").toString(), "pools/pool", "@@"));
    return perdure.run(words.toArray(String[]::new));
  }

  private JsonNode findings(String directory) throws Exception {
    return new ObjectMapper()
        .readTree(folder.resolve(directory).resolve("findings.json").toFile())
        .path("findings");
  }

  private static JsonNode failure(JsonNode findings) {
    for (JsonNode finding : findings) {
      if (finding.path("kind").asText().equals("target-failure")) {
        return finding;
      }
    }
    throw new AssertionError("no target-failure in " + findings);
  }

  @Test
  void shouldKeepASmallInputOfAFailureAndReplayIt() throws Exception {
    Files.writeString(folder.resolve("seeds/a"), "put 1\nput 2\nboom\nput 3\nput 4\nput 5\n");
    Result result = fuzz("--time", "100s", "--stop-at", "proven", "--minimise", "60s");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    JsonNode failure = failure(findings("run"));
    assertThat(failure.path("message").asText()).contains("SIGABRT");
    assertThat(failure.path("reproduce").asText()).contains("--replay C1 ");
    assertThat(folder.resolve("run/campaigns/C1/input")).hasContent("boom\n");
    Result replay = fuzzAgain("C1");
    assertThat(replay.exit()).as(replay.err()).isEqualTo(1);
    failure(findings("run/campaigns/C1/replay"));
    assertThat(Files.readAllBytes(folder.resolve("pools/pool"))).isEqualTo(new byte[4096]);
  }

  @Test
  void shouldNotTakeWhatTheTerminalSendsForAFailure() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("waits.c"),
            """
            #include <fcntl.h>
            #include <unistd.h>
            int main(int argc, char **argv) {
              close(creat(argv[argc - 1], 0600));
              for (;;) pause();
            }
            """);
    assertThat(perdure.run("cc", "-g", source.toString(), "-o", "waits").exit()).isZero();
    Process process =
        perdure.startInSession(
            "fuzz", "--out", "run", "--pm", "pools", "--", "./waits", "pools/pool", "running");
    while (Files.notExists(folder.resolve("running"))) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(1);
    }
    PerdureProcess.interruptSession(process);
    Result result = perdure.await(process);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.lastLine()).isEqualTo("SUMMARY: no findings; incomplete run");
    assertThat(findings("run")).isEmpty();
  }

  private Result fuzzAgain(String campaign) throws Exception {
    return perdure.run(
        "fuzz",
        "--out",
        "run",
        "--replay",
        campaign,
        "--pm",
        "pools",
        "--",
        programs.resolve("fragile").toString(),
        "pools/pool",
        "@@");
  }

  @Test
  void shouldGoOnWhereASearchOfTheSameDirectoryEnded() throws Exception {
    Files.writeString(folder.resolve("seeds/a"), "boom\n");
    fuzz("--time", "100s", "--stop-at", "proven", "--minimise", "no");
    Files.writeString(folder.resolve("seeds/a"), "put 1\n");
    Result result = fuzz("--time", "1s", "--workers", "2", "--tiers", "execution");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    assertThat(failure(findings("run")).path("reproduce").asText()).contains("--replay C1 ");
    assertThat(folder.resolve("run/campaigns/C1/input")).hasContent("boom\n");
    assertThat(folder.resolve("run/stats")).content().contains("campaigns : ");
  }

  private JsonNode failureOf(String input, String... options) throws Exception {
    Files.writeString(folder.resolve("seeds/a"), input);
    List<String> words =
        new ArrayList<>(List.of("--time", "100s", "--stop-at", "proven", "--minimise", "no"));
    words.addAll(List.of(options));
    Result result = fuzz(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    return failure(findings("run"));
  }

  /** A hang has the store that left threads waiting, a crash the calls in which it came. */
  @Test
  void shouldTellAHangFromACrash() throws Exception {
    JsonNode hang = failureOf("put 1\nstuck\n", "--timeout", "3s");
    assertThat(hang.path("message").asText()).contains("did not come to an end");
    assertThat(hang.path("store").path("function").asText()).isEqualTo("lock_twice");
    assertThat(hang.path("effect").isNull()).isTrue();
    FileTree.delete(folder.resolve("run"));
    JsonNode crash = failureOf("put 1\nboom\n");
    assertThat(crash.path("store").isNull()).isTrue();
    assertThat(crash.path("effect").path("function").asText()).isEqualTo("main");
    assertThat(crash.path("id")).isNotEqualTo(hang.path("id"));
  }

  private static int freePort() throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  /** examples/cache speaks memcached's protocol, for which a grammar is shipped. */
  @Test
  void shouldFindRacesOfAServerThatSpeaksTheProtocolOfMemcached() throws Exception {
    Path source = HOME.resolve("examples/cache/cache.c");
    perdure.run("cc", "-g", "-O1", "-pthread", source.toString(), "-o", "cache");
    Result result =
        perdure.run(
            "fuzz",
            "--out",
            "run",
            "--pm",
            "pools",
            "--grammar",
            HOME.resolve("grammars/memcached.grammar").toString(),
            "--socket",
            "127.0.0.1:" + freePort(),
            "--time",
            "100s",
            "--stop-at",
            "observed",
            "--minimise",
            "no",
            "--",
            "./cache",
            "pools/pool",
            "{port}");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    assertThat(result.err()).contains("persistency-race");
  }

  @Test
  void shouldSendOperationsToAServer() throws Exception {
    Files.writeString(folder.resolve("seeds/a"), "add 1\nadd 2\nadd 3\nboom\nadd 4\n");
    int port = freePort();
    Result result =
        perdure.run(
            "fuzz",
            "--out",
            "run",
            "--pm",
            "pools",
            "--seeds",
            "seeds",
            "--socket",
            "127.0.0.1:" + port,
            "--threads",
            "2",
            "--time",
            "100s",
            "--stop-at",
            "proven",
            "--minimise",
            "no",
            "--",
            programs.resolve("counter_server").toString(),
            "pools/pool",
            "{port}");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    JsonNode failure = failure(findings("run"));
    assertThat(failure.path("message").asText()).contains("SIGABRT");
    assertThat(failure.path("reproduce").asText()).contains("--socket 127.0.0.1:" + port);
  }
}
