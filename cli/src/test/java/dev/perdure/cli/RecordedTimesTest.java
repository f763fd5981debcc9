package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.TraceFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What persists has a time of its own, so that nothing seems persistent before it is. */
class RecordedTimesTest {
  private static final String STREAM_UNDER_LOCK =
      """
      #include <emmintrin.h>
      #include <fcntl.h>
      #include <pthread.h>
      #include <sys/mman.h>
      #include <unistd.h>
      static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
      __attribute__((noinline)) static void put(__m128i *to, __m128i value) {
        pthread_mutex_lock(&mutex);
        _mm_stream_si128(to, value);
        pthread_mutex_unlock(&mutex);
      }
      int main(int count, char **words) {
        int fd = open(words[1], O_RDWR | O_CREAT, 0600);
        if (count < 2 || ftruncate(fd, 4096) != 0) return 1;
        put(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), _mm_set1_epi8(7));
        return 0;
      }
      """;

  @TempDir private Path folder;

  @Test
  void shouldStampAReleaseThatPersistsAVectorStoredPastTheCaches() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("gcc", STREAM_UNDER_LOCK, "program", "-O1", "-pthread");
    perdure.run("run", "--out", "run", "--pm", "pool", "--", "./program", "pool");

    long stored = 0;
    long released = 0;
    try (TraceFile trace = TraceFile.open(folder.resolve("run/trace"))) {
      Event e = new Event();
      while (trace.next(e)) {
        if (e.kind() == EventKind.STORE_NT_BLOCK) {
          stored = e.time();
        } else if (e.kind() == EventKind.RELEASE && stored != 0 && released == 0) {
          released = e.time();
        }
      }
    }
    assertThat(stored).isPositive();
    assertThat(released).isGreaterThan(stored);
  }
}
