package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.cli.PerdureProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    return perdure.run(words(recover, options));
  }

  private static String[] words(String recover, String... options) {
    List<String> words =
        new ArrayList<>(List.of("crash", "--out", "run", "--pm", "pool", "--recover", recover));
    words.addAll(List.of(options));
    words.addAll(List.of("--", programs.resolve("marked").toString(), "pool", "write"));
    return words.toArray(String[]::new);
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

  /** Room for copies of no pool, for those but not for the recording of the run. */
  @ParameterizedTest
  @ValueSource(ints = {64, 512})
  void shouldSayThatThereIsNoRoomAndLeaveThePoolAlone(int kibibytes) throws Exception {
    byte[] content = new byte[128 << 10];
    Arrays.fill(content, (byte) 7);
    Files.write(folder.resolve("pool"), content);
    Result result = perdure.runWithSmallFiles(kibibytes, words(recovery()));
    assertThat(result.exit()).as(result.err()).isIn(2, 3);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).contains("cannot be").contains("File too large");
    assertThat(Files.readAllBytes(folder.resolve("pool"))).isEqualTo(content);
  }

  /** The disk is full from the first recovery on: no file of Perdure's can grow beyond a limit. */
  @Test
  void shouldSayThatThereIsNoRoomForTheNextImage() throws Exception {
    byte[] content = new byte[2 << 20];
    Arrays.fill(content, (byte) 7);
    Files.write(folder.resolve("pool"), content);
    Result result =
        crash("sh -c 'echo >> runs; prlimit --pid $PPID --fsize=1048576'", "--jobs", "1");
    assertThat(result.exit()).as(result.err()).isEqualTo(3);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).contains("the crash image cannot be written").contains("too large");
    assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(1);
    assertThat(Files.readAllBytes(folder.resolve("pool"))).isEqualTo(content);
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
  void shouldEndRecoveriesWhenPerdureIsKilled() throws Exception {
    Path started = folder.resolve("started");
    Process process =
        perdure.start(
            words(
                "sh -c 'echo $$ > starting; mv starting started; exec sleep 600'", "--jobs", "1"));
    while (!Files.exists(started)) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(20);
    }
    process.destroyForcibly().waitFor();
    long recovery = Long.parseLong(Files.readString(started).strip());
    ProcessHandle.of(recovery).ifPresent(p -> p.onExit().join());
    assertThat(ProcessHandle.of(recovery)).isEmpty();
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

  @Test
  void shouldRefusePoolsThatAreNotNamedAndLeaveThemAsTheyWere() throws Exception {
    Files.write(folder.resolve("other"), new byte[4096]);
    perdure.compile(
        "gcc",
        """
        #include <libpmem.h>
        #include <stddef.h>
        int main(void) {
          char *pm = pmem_map_file("other", 0, 0, 0, NULL, NULL);
          if (pm == NULL) return 9;
          pm[0] = 1;
          pmem_persist(pm, 1);
          return 0;
        }
        """,
        "unnamed",
        "-lpmem");
    Result result =
        perdure.run("crash", "--pm", "pool", "--recover", "./unnamed", "--", "./unnamed");
    assertThat(result.err()).contains("other: the program maps this file").contains("--pm");
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.exit()).isEqualTo(2);
    assertThat(Files.readAllBytes(folder.resolve("other"))).isEqualTo(new byte[4096]);
  }

  @Test
  void shouldTestThreadsThatWriteToPoolsTheyCreate() throws Exception {
    perdure.compile(
        "gcc",
        """
        #include <fcntl.h>
        #include <immintrin.h>
        #include <pthread.h>
        #include <stdint.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <unistd.h>
        static volatile uint64_t *map(const char *path) {
          int fd = open(path, O_RDWR | O_CREAT, 0600);
          if (fd < 0 || ftruncate(fd, 4096) != 0) _exit(9);
          return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        }
        static volatile uint64_t *first, *second;
        static void *work(void *own) {
          volatile uint64_t *data = first + 8 * (uintptr_t)own, *mark = second + 8 * (uintptr_t)own;
          *data = 7;
          *mark = 1;
          _mm_clflush((void *)mark);
          _mm_clflush((void *)data);
          return 0;
        }
        int main(int argc, char **argv) {
          first = map(argv[1]);
          second = map(argv[2]);
          if (strcmp(argv[3], "recover") == 0) {
            for (int i = 0; i < 4; i++) if (second[8 * i] == 1 && first[8 * i] != 7) return 5;
            return 0;
          }
          pthread_t t[4];
          for (uintptr_t i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
          for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
          return 0;
        }
        """,
        "two",
        "-pthread");
    Result result =
        perdure.run(
            "crash",
            "--out",
            "run",
            "--pm",
            "a",
            "--pm",
            "b",
            "--recover",
            "./two {pm} {pm2} recover",
            "--",
            "./two",
            "a",
            "b",
            "write");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    JsonNode failure = null;
    for (JsonNode finding : findings().path("findings")) {
      failure = finding.path("kind").asText().equals("recovery-failure") ? finding : failure;
    }
    assertThat(failure).as(result.err()).isNotNull();
    assertThat(failure.path("recoveryExit").asInt()).isEqualTo(5);
    assertThat(failure.path("failurePoint").path("image").asText()).isEqualTo("persisted");
    assertThat(folder.resolve("a")).doesNotExist();
    assertThat(folder.resolve("b")).doesNotExist();
  }
}
