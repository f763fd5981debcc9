package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain libraries beside a program that was built with perdure cc. */
class PlainLibraryTest {
  private static final String LIBRARY =
      """
      void put(volatile long *where, long what) { *where = what; }
      """;

  private static final String PROGRAM =
      """
      #include <fcntl.h>
      #include <immintrin.h>
      #include <stdlib.h>
      #include <sys/mman.h>
      #include <unistd.h>
      void put(volatile long *where, long what);
      int main(int argc, char **argv) {
        int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
        if (ftruncate(fd, 4096) != 0) return 1;
        long *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        put(p, 7);
        if (argc > 2) _mm_clflush(p);
        return 0;
      }
      """;

  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeEach
  void setUp() throws Exception {
    perdure = new PerdureProcess(folder);
    perdure.compile("gcc", LIBRARY, "libput.so", "-g", "-O1", "-shared", "-fPIC");
    Path source = Files.writeString(folder.resolve("program.c"), PROGRAM);
    var built =
        perdure.run(
            "cc", "-g", "-O1", source.toString(), "-o", "program", "-L.", "-lput", "-Wl,-rpath=.");
    assertThat(built.exit()).as(built.err()).isZero();
  }

  @Test
  void shouldSeeWhatTheyStore() throws Exception {
    assertThat(findings("pool", "flushed")).isEmpty();
  }

  @Test
  void shouldNameTheirPlacesAndTheProgramsCallers() throws Exception {
    JsonNode findings = findings("pool");

    assertThat(findings).hasSize(1);
    JsonNode store = findings.get(0).path("store");
    assertThat(store.path("file").asText()).endsWith("libput.so.c");
    assertThat(store.path("stack").findValuesAsText("function")).endsWith("main");
  }

  private JsonNode findings(String... arguments) throws Exception {
    String[] words = {"run", "--quiet", "--json", "f.json", "--pm", "pool", "--", "./program"};
    perdure.run(Stream.of(words, arguments).flatMap(Arrays::stream).toArray(String[]::new));
    return new ObjectMapper().readTree(folder.resolve("f.json").toFile()).path("findings");
  }
}
