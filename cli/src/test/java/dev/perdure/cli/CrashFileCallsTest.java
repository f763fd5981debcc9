package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.PerdureProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that make and write their pools by system calls. */
class CrashFileCallsTest {
  private static final String PROGRAM =
      """
      #include <fcntl.h>
      #include <string.h>
      #include <sys/mman.h>
      #include <unistd.h>
      int main(int argc, char **argv) {
        int recovers = argc > 2 && strcmp(argv[2], "recover") == 0;
        if (strcmp(argv[2], "unlink") == 0) unlink(argv[1]);
        int flags = strcmp(argv[2], "trunc") == 0 ? O_TRUNC : 0;
        int fd = open(argv[1], recovers ? O_RDWR : O_RDWR | O_CREAT | flags, 0600);
        if (recovers) {
          char head[2] = "", tail = 0;
          if (lseek(fd, 0, SEEK_END) < 8192) return 0;
          if (pread(fd, head, 2, 0) != 2 || pread(fd, &tail, 1, 8000) != 1) return 5;
          return head[0] == 'h' && head[1] == 'i' && tail == 0 ? 0 : 6;
        }
        if (write(fd, "hi", 2) != 2 || fsync(fd) != 0 || ftruncate(fd, 8192) != 0) return 7;
        char *pm = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        pm[4096] = 1;
        return msync(pm, 8192, MS_SYNC);
      }
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"trunc", "unlink"})
  void shouldStartWithNothingWhereTheProgramMakesThePoolAnew(String how) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("gcc", PROGRAM, "remaker");
    byte[] old = new byte[8192];
    Arrays.fill(old, (byte) 'o');
    Files.write(folder.resolve("pool"), old);
    Result result =
        perdure.run(
            "crash",
            "--pm",
            "pool",
            "--recover",
            "./remaker {pm} recover",
            "--",
            "./remaker",
            "pool",
            how);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("recovery runs");
    assertThat(Files.readAllBytes(folder.resolve("pool"))).isEqualTo(old);
  }
}
