package dev.perdure.cli.robust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.PerdureProcess;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.file.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a repaired program waits, which the list of insertions does not say. */
class ExecutedFencesTest {
  private static final int ROUNDS = 100;

  private static final String PROLOGUE =
      """
      #include <fcntl.h>
      #include <pthread.h>
      #include <stdint.h>
      #include <sys/mman.h>
      #include <unistd.h>
      struct node { _Alignas(64) uint64_t v; };
      struct pool { struct node *node; struct node first, x, y, z; };
      static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
      static struct pool *map(const char *path) {
        int fd = open(path, O_RDWR | O_CREAT, 0600);
        if (fd < 0 || ftruncate(fd, sizeof(struct pool))) _exit(9);
        return mmap(NULL, sizeof(struct pool), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      }
      """;

  @TempDir Path folder;

  @Test
  void shouldWaitForWhatARareCallHasFlushedOnlyWhereItHappened() throws Exception {
    int fences =
        fences(
            """
            __attribute__((noinline)) static void change(struct pool *p) { p->node->v++; }
            int main(int argc, char **argv) {
              struct pool *p = map(argv[argc - 1]);
              p->node = &p->first;
              for (int i = 0; i < 100; i++) {
                pthread_mutex_lock(&lock);
                if (i == 50) change(p);
                p->y.v = i;
                pthread_mutex_unlock(&lock);
              }
              return 0;
            }
            """);

    assertThat(fences).isBetween(1, 4);
  }

  @Test
  void shouldWaitOnceForWhatCallerAndCalleeHaveRead() throws Exception {
    int fences =
        fences(
            """
            __attribute__((noinline)) static void sum(struct pool *p, uint64_t v) {
              v += __atomic_load_n(&p->y.v, __ATOMIC_ACQUIRE);
              __atomic_store_n(&p->z.v, v, __ATOMIC_RELEASE);
            }
            int main(int argc, char **argv) {
              struct pool *p = map(argv[argc - 1]);
              for (int i = 0; i < 100; i++) sum(p, __atomic_load_n(&p->x.v, __ATOMIC_ACQUIRE));
              return 0;
            }
            """);

    assertThat(fences).isBetween(ROUNDS, ROUNDS + 2);
  }

  private int fences(String program) throws Exception {
    Files.writeString(folder.resolve("program.c"), PROLOGUE + program);
    PerdureProcess perdure = new PerdureProcess(folder);
    var built = perdure.run("cc", "-O1", "-pthread", "--fix=opt", "program.c", "-o", "program");
    assertThat(built.exit()).as(built.err()).isZero();
    var ran =
        perdure.run(
            "run", "--detect", "flush", "--pm", "pool", "--out", "out", "--", "./program", "pool");
    assertThat(ran.exit()).as(ran.err()).isBetween(0, 1);
    int[] count = new int[1];
    try (TraceFile trace = TraceFile.open(folder.resolve("out/trace"))) {
      trace.forEach(
          new EventHandler() {
            @Override
            public void fence(Event e) {
              count[0] += e.info() == EventInfo.FENCE_SFENCE ? 1 : 0;
            }
          });
    }
    return count[0];
  }
}
