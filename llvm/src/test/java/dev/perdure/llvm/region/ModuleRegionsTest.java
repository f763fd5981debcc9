package dev.perdure.llvm.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.llvm.driver.SourceModule;
import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.LockFunction;
import dev.perdure.model.config.LockMode;
import dev.perdure.model.config.SyncFunctions;
import dev.perdure.model.region.AccessRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The functions of the test program say themselves where the region of their access starts. */
class ModuleRegionsTest {
  private static final String BEGIN =
      """
      #include <pthread.h>
      #include <stdatomic.h>
      #include <stdint.h>
      #include <string.h>
      __attribute__((noinline)) void step(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }
      void elsewhere(void);
      void take(int *lock);
      void drop(int *lock);
      pthread_mutex_t m;
      static __attribute__((noinline)) void locks(void) { pthread_mutex_lock(&m); step(0); }
      static __attribute__((noinline)) void leads_to_lock(void) { step(0); locks(); }
      """;

  @TempDir private Path folder;

  @Test
  void shouldStopAtWhateverAcquires() throws IOException {
    check(
        Configuration.EMPTY,
        """
        void lock(uint64_t *x) { step(1); pthread_mutex_lock(&m);
          step(2); // start
          *x = 1; // access
        }
        void callee(uint64_t *x) { step(1); leads_to_lock();
          step(2); // start
          *x = 1; // access
        }
        void unknown(uint64_t *x) { step(1); elsewhere();
          step(2); // start
          *x = 1; // access
        }
        void pointer(uint64_t *x, void (*f)(void)) { step(1); f();
          step(2); // start
          *x = 1; // access
        }
        void acquire_load(uint64_t *x, _Atomic int *a) {
          step(1); atomic_load_explicit(a, memory_order_acquire);
          step(2); // start
          *x = 1; // access
        }
        void exchange(uint64_t *x, _Atomic int *a) { step(1); atomic_exchange(a, 1);
          step(2); // start
          *x = 1; // access
        }
        void fence(uint64_t *x) { step(1); atomic_thread_fence(memory_order_acquire);
          step(2); // start
          *x = 1; // access
        }
        void locked(uint64_t *x, int *a) { step(1); __asm__ volatile("lock; incl %0" : "+m"(*a));
          step(2); // start
          *x = 1; // access
        }
        """);
  }

  @Test
  void shouldPassWhatAcquiresNothing() throws IOException {
    check(
        Configuration.EMPTY,
        """
        void unlock(uint64_t *x) {
          step(1); // start
          pthread_mutex_unlock(&m);
          step(2);
          *x = 1; // access
        }
        void relaxed(uint64_t *x, _Atomic int *a) {
          step(1); // start
          atomic_load_explicit(a, memory_order_relaxed);
          atomic_store_explicit(a, 2, memory_order_release);
          *x = 1; // access
        }
        void flush(uint64_t *x, uint64_t *y) {
          step(1); // start
          __asm__ volatile("clflush %0\\n\\tsfence" : "+m"(*y));
          *x = 1; // access
        }
        void string(uint64_t *x, const char *s) {
          step(1); // start
          step((int)strlen(s));
          *x = 1; // access
        }
        """);
  }

  @Test
  void shouldMoveArithmeticUpButNotLoads() throws IOException {
    check(
        Configuration.EMPTY,
        """
        struct node { uint64_t key; struct node *next; };
        void array(struct node *nodes, uint64_t i) {
          step(1); // start
          step(2);
          nodes[(i * 7) & 15].key = 1; // access
        }
        void chosen(uint64_t *x, uint64_t *y, int c) {
          step(1); // start
          step(2);
          *(c ? x : y) = 1; // access
        }
        void copy(void *to, unsigned n) {
          step(1); // start
          step(2);
          memset(to, 1, n * 2ul); // access
        }
        int length(void);
        void returned(uint64_t *x) { step(1); int n = length();
          step(2); // start
          x[n] = 1; // access
        }
        void last(struct node *n) { step(1);
          while (n->next) n = n->next;
          step(2); // start
          n->key = 1; // access
        }
        """);
  }

  @Test
  void shouldTakeTheProjectsOwnNames() throws IOException {
    SyncFunctions sync =
        new SyncFunctions(
            List.of(new LockFunction("take", 0, LockMode.EXCLUSIVE)),
            List.of(new LockFunction("drop", 0, LockMode.EXCLUSIVE)),
            List.of(),
            List.of(),
            List.of());
    Configuration none = Configuration.EMPTY;
    check(
        new Configuration(
            none.pmPaths(),
            sync,
            none.allocators(),
            none.flush(),
            none.suppressions(),
            none.fuzz(),
            none.crash()),
        """
        void taken(uint64_t *x, int *l) { step(1); take(l);
          step(2); // start
          *x = 1; // access
        }
        void dropped(uint64_t *x, int *l) {
          step(1); // start
          drop(l);
          step(2);
          *x = 1; // access
        }
        """);
  }

  @Test
  void shouldLookThroughFunctionsOfOtherFiles() throws IOException {
    Path own =
        Files.writeString(
            folder.resolve("own.c"),
            BEGIN + "void f(int *x) {\nstep(1);\nelsewhere();\n*x = 1; }\n");
    Path other = Files.writeString(folder.resolve("other.c"), "void elsewhere(void) {}\n");
    int line = (int) BEGIN.lines().count();
    assertThat(startsOf(regions(Configuration.EMPTY, own), line + 4)).containsExactly(line + 4);
    assertThat(startsOf(regions(Configuration.EMPTY, own, other), line + 4))
        .containsExactly(line + 2);
  }

  /** All accesses of the text start on the start line before them. */
  private void check(Configuration configuration, String text) throws IOException {
    Path source = Files.writeString(folder.resolve("program.c"), BEGIN + text);
    List<String> lines = Files.readAllLines(source);
    Map<Integer, Integer> expected = new TreeMap<>();
    int start = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith("// start")) {
        start = i + 1;
      } else if (lines.get(i).endsWith("// access")) {
        expected.put(i + 1, start);
      }
    }
    assertThat(expected).isNotEmpty();
    List<AccessRegion> regions = regions(configuration, source);
    expected.forEach(
        (access, at) ->
            assertThat(startsOf(regions, access)).as(lines.get(access - 1)).containsExactly(at));
  }

  private static List<Integer> startsOf(List<AccessRegion> regions, int line) {
    return regions.stream()
        .filter(r -> r.place().frame().line() == line)
        .flatMap(r -> r.starts().stream())
        .map(s -> s.frame().line())
        .toList();
  }

  private List<AccessRegion> regions(Configuration configuration, Path... sources)
      throws IOException {
    var environment =
        new DriverEnvironment(
            Path.of(System.getProperty("perdure.home")),
            folder,
            CacheDirectory.of(System.getenv()),
            System.getenv(),
            System.err,
            configuration);
    List<String> arguments = new ArrayList<>(Stream.of(sources).map(Path::toString).toList());
    return new SourceModule(environment)
        .look(Mode.C, arguments, (m, d) -> ModuleRegions.of(m, configuration, d))
        .orElseThrow();
  }
}
