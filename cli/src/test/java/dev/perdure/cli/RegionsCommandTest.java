package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions of plain programs, as the command line shows them. */
class RegionsCommandTest {
  private static final String PROGRAM =
      """
      #include <fcntl.h>
      #include <pthread.h>
      #include <sys/mman.h>
      #include <unistd.h>
      static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
      __attribute__((noinline)) void put(long *table, long key) {
        pthread_mutex_lock(&lock);
        table += key & 15;
        *table = key;
        pthread_mutex_unlock(&lock);
      }
      __attribute__((noinline)) long unused(const long *table) { return table[3]; }
      int main(int argc, char **argv) {
        int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
        if (ftruncate(fd, 4096) != 0) {
          return 1;
        }
        put(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), argc);
        return argc > 2 ? (int)unused((long *)argv[2]) : 0;
      }
      """;

  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeEach
  void build() throws Exception {
    perdure = new PerdureProcess(folder);
    perdure.compile("gcc", PROGRAM, "table", "-g", "-O1", "-pthread");
  }

  @Test
  void shouldListTheAccessesOfAProgramWithLinesAndAddresses() throws Exception {
    String listed = perdure.run("regions", "table").out();
    assertThat(listed)
        .containsPattern(
            "store 0x\\w+ \\(table.c:9\\) in put, region from 0x\\w+ \\(table.c:[78]\\)")
        .containsPattern("load  0x\\w+ \\(table.c:12\\) in unused, region from 0x\\w+");
  }

  @Test
  void shouldWriteAddressesAsJson() throws Exception {
    JsonNode accesses =
        new ObjectMapper()
            .readTree(perdure.run("regions", "--json", "-", "table").out())
            .get("accesses");
    JsonNode store = accesses.get(0);
    assertThat(store.get("kind").asText()).isEqualTo("store");
    assertThat(store.get("function").asText()).isEqualTo("put");
    assertThat(store.get("line").asInt()).isEqualTo(9);
    assertThat(store.get("starts").get(0).get("address").asLong())
        .isLessThan(store.get("address").asLong());
  }

  @Test
  void shouldKeepToWhatARunTouched() throws Exception {
    perdure.run("run", "--out", "run", "--pm", "pool", "--", "./table", "pool");
    assertThat(perdure.run("regions", "--run", "run", "table").out())
        .contains("in put")
        .doesNotContain("in unused")
        .doesNotContain("in main");
  }
}
