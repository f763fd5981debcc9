package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes after the start: modules of dlopen, and programs that others start. */
class LaterModulesTest {
  private static final String PLUGIN =
      """
      extern long *pool;
      __attribute__((constructor)) static void at_load(void) { pool[8] = 5; }
      void put(long *to) { *to = 7; }
      """;
  private static final String HOST =
      """
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <sys/mman.h>
      #include <unistd.h>
      long *pool;
      int main(int count, char **words) {
        int fd = open(words[1], O_RDWR | O_CREAT, 0600);
        if (count < 2 || ftruncate(fd, 4096) != 0) return 1;
        pool = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        for (int i = 0; i < 3; i++) {
          void *plugin = dlopen("./plugin", RTLD_NOW);
          ((void (*)(long *))dlsym(plugin, "put"))(pool + 16 + 8 * i);
          dlclose(plugin);
        }
        return 3;
      }
      """;

  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeEach
  void setUp() throws Exception {
    perdure = new PerdureProcess(folder);
    perdure.compile("gcc", PLUGIN, "plugin", "-g", "-O1", "-shared", "-fPIC");
  }

  private JsonNode run(String... command) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("run", "--quiet", "--json", "f.json", "--pm", "pool", "--"));
    words.addAll(List.of(command));
    perdure.run(words.toArray(String[]::new));
    return new ObjectMapper().readTree(folder.resolve("f.json").toFile());
  }

  private static List<String> stores(JsonNode report) {
    List<String> all = new ArrayList<>();
    report
        .path("findings")
        .forEach(
            f ->
                all.add(f.path("store").path("function").asText() + " " + f.path("count").asInt()));
    return all;
  }

  @Test
  void shouldSeeConstructorsAndCodeOfModulesThatComeAndGoUnderAShell() throws Exception {
    perdure.compile("gcc", HOST, "host", "-g", "-O1", "-rdynamic");

    JsonNode report = run("sh", "-c", "./host pool; exit $?");

    assertThat(stores(report)).containsExactlyInAnyOrder("at_load 1", "put 3");
    assertThat(report.at("/target/exit").asInt()).isEqualTo(3);
    assertThat(report.at("/coverage/frontend").asText()).isEqualTo("binary");
    assertThat(report.at("/coverage/unfollowed")).isEmpty();
  }

  @Test
  void shouldNameProgramsThatCannotBeFollowed() throws Exception {
    perdure.compile("gcc", "int main(void) { return 0; }", "static", "-static");

    JsonNode report = run("sh", "-c", "./static");

    assertThat(report.at("/coverage/unfollowed/0").asText())
        .startsWith("./static: is linked statically");
  }

  /** It shares the memory of its parent, and the runtime with it, until it becomes another. */
  @Test
  void shouldNotNameAChildThatHasNotYetBecomeAnotherProgram() throws Exception {
    perdure.compile(
        "gcc",
        """
        #define _GNU_SOURCE
        #include <sys/wait.h>
        #include <unistd.h>
        int main(void) {
          if (vfork() == 0) {
            usleep(350000);
            _exit(0);
          }
          return wait(NULL) < 0;
        }
        """,
        "parent");

    JsonNode report = run("./parent");

    assertThat(report.at("/target/exit").asInt()).isZero();
    assertThat(report.at("/coverage/unfollowed")).isEmpty();
  }
}
