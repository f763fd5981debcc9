package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a plain compiler: how their places are named. */
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

  @TempDir private Path folder;

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

  private JsonNode storeOfMissingFlush(String debug) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("g++", SOURCE, "table", "-O1", debug);
    perdure.run("run", "--quiet", "--json", "f.json", "--pm", "pool", "--", "./table", "pool");
    JsonNode findings =
        new ObjectMapper().readTree(folder.resolve("f.json").toFile()).path("findings");
    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).path("kind").asText()).isEqualTo("missing-flush");
    return findings.get(0).path("store");
  }
}
