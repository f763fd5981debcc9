package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a plain compiler: how their places are named, and that none is overlooked. */
class PlainBinaryTest {
  private static final String SOURCE =
      """
      #include <fcntl.h>
      #include <sys/mman.h>
      #include <unistd.h>
      namespace store {
      struct Table {
        long count;
        __attribute__((noinline)) void put(long n) { count = n; }
      };
      }
      int main(int, char **argv) {
        int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
        if (ftruncate(fd, 4096) != 0) return 1;
        void *p = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        static_cast<store::Table *>(p)->put(7);
        return 0;
      }
      """;

  /** Two stores by one register: one before the pool, and one in it, 66 KiB behind the register. */
  private static final String FAR_FROM_ITS_REGISTER =
      """
      #include <fcntl.h>
      #include <sys/mman.h>
      #include <unistd.h>
      int main(int, char **argv) {
        int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
        if (ftruncate(fd, 4096) != 0) return 1;
        const long block = 1L << 20;
        void *room = mmap(nullptr, 3 * block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char *at = (char *)(((long)room + 2 * block - 1) & -block) + 0x10000;
        if (mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != at) return 1;
        asm volatile("movq $1, 0xfff0(%0); movq $1, 0x10fe0(%0)" : : "r"(at - 0x10800) : "memory");
        return 0;
      }
      """;

  /** Says by how many MB its address space has grown while threads came and went. */
  private static final String SHORT_THREADS =
      """
      #include <fcntl.h>
      #include <pthread.h>
      #include <stdio.h>
      #include <sys/mman.h>
      #include <unistd.h>
      static long *pm;
      __attribute__((noinline)) static void put(long i) { pm[i % 64] = i; }
      static void *work(void *number) {
        put((long)number);
        return nullptr;
      }
      static long pages() {
        long n = 0;
        FILE *f = fopen("/proc/self/statm", "r");
        if (f == nullptr || fscanf(f, "%ld", &n) != 1) return -1;
        fclose(f);
        return n;
      }
      static void threads(long n) {
        for (long i = 0; i < n; i++) {
          pthread_t t;
          if (pthread_create(&t, nullptr, work, (void *)i) == 0) pthread_join(t, nullptr);
        }
      }
      int main(int, char **argv) {
        int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
        if (ftruncate(fd, 4096) != 0) return 1;
        pm = (long *)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        threads(50);
        long before = pages();
        threads(500);
        printf("grown by %ld MB\\n", (pages() - before) / 256);
        return 0;
      }
      """;

  /** Without optimisation, `put` sets its frame pointer up and never reads it. */
  private static final String UNUSED_FRAME_POINTER =
      """
      #include <fcntl.h>
      #include <sys/mman.h>
      #include <unistd.h>
      static long *pm;
      static void put() { *pm = 7; }
      static void caller() { put(); }
      int main(int, char **argv) {
        int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
        if (ftruncate(fd, 4096) != 0) return 1;
        pm = (long *)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        caller();
        return 0;
      }
      """;

  @TempDir private Path folder;

  @Test
  void shouldFindCallersOfFunctionThatNeverReadsItsFramePointer() throws Exception {
    JsonNode store = storeOfMissingFlush(UNUSED_FRAME_POINTER, "-O0");

    assertThat(store.path("stack").findValuesAsText("function"))
        .as(store.toString())
        .containsExactly("caller", "main");
  }

  @Test
  void shouldShowHowALibraryIsPatchedThatIsNotExecutable() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("g++", "void put(long *p) { *p = 1; }", "put.so", "-shared", "-fPIC", "-O1");
    assertThat(folder.resolve("put.so").toFile().setExecutable(false, false)).isTrue();

    PerdureProcess.Result result = perdure.run("doctor", "./put.so");

    assertThat(result.out()).containsPattern("\nput.so +1 +1( +[0-9]+){4} +0\n");
    assertThat(result.exit()).isZero();
  }

  @Test
  void shouldNameLinesWithDebugInformation() throws Exception {
    JsonNode store = storeOfMissingFlush("-g");

    assertThat(store.path("function").asText()).isEqualTo("store::Table::put");
    assertThat(store.path("file").asText()).endsWith("table.cpp");
    assertThat(store.path("line").asInt()).isEqualTo(7);
  }

  @Test
  void shouldNameReadableFunctionAndOffsetWithoutDebugInformation() throws Exception {
    JsonNode store = storeOfMissingFlush("-g0");

    assertThat(store.path("function").asText()).isEqualTo("store::Table::put");
    assertThat(store.path("module").asText()).isEqualTo("table");
    assertThat(store.path("offset").isNumber()).isTrue();
    assertThat(store.path("line").asInt()).isZero();
  }

  @Test
  void shouldSeeStoreBehindTestThatLookedFarBeforeIt() throws Exception {
    JsonNode store = storeOfMissingFlush(FAR_FROM_ITS_REGISTER, "-g");

    assertThat(store.path("function").asText()).isEqualTo("main");
  }

  @Test
  void shouldKeepNothingOfThreadsThatEnded() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("g++", SHORT_THREADS, "threads", "-O1", "-pthread");

    PerdureProcess.Result result =
        perdure.run("run", "--quiet", "--pm", "pool", "--", "./threads", "pool");

    assertThat(result.out()).contains("grown by 0 MB");
  }

  private JsonNode storeOfMissingFlush(String debug) throws Exception {
    return storeOfMissingFlush(SOURCE, debug);
  }

  private JsonNode storeOfMissingFlush(String source, String debug) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("g++", source, "table", "-O1", debug);
    perdure.run("run", "--quiet", "--json", "f.json", "--pm", "pool", "--", "./table", "pool");
    JsonNode findings =
        new ObjectMapper().readTree(folder.resolve("f.json").toFile()).path("findings");
    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).path("kind").asText()).isEqualTo("missing-flush");
    return findings.get(0).path("store");
  }
}
