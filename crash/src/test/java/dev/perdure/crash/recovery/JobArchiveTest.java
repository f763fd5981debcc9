package dev.perdure.crash.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.crash.image.Suspect;
import dev.perdure.crash.image.SuspectRange;
import dev.perdure.crash.memory.PoolRange;
import dev.perdure.crash.point.SyncWord;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobArchiveTest {
  @TempDir private Path folder;

  @Test
  void shouldReadAJobAsItWasKept() throws Exception {
    ImageCheck check =
        new ImageCheck(
            7,
            "all:2",
            List.of(new SuspectRange(5, 2, new Suspect(Suspect.Reason.STALE, 9))),
            List.of(new WordCheck(new SyncWord(new PoolRange(8, 4), 0, -1), 2)));
    RecoveryJob job =
        new RecoveryJob(
            3,
            new RecoveryCommand(List.of("./prog", "pool"), 500),
            List.of(
                new PoolImage(
                    "/pool",
                    4096,
                    8192,
                    128,
                    true,
                    List.of(new PoolImage.Page(0, new byte[] {1, 2})))),
            List.of(new ImageCheck(6, "latest", List.of(), List.of()), check));
    JobArchive archive = new JobArchive(folder.resolve("images"));
    archive.keep(job, check);
    RecoveryJob read = archive.read(7, "all:2");
    assertThat(read.command()).isEqualTo(job.command());
    assertThat(read.checks()).containsExactly(check);
    assertThat(read.pools().get(0).pages().get(0).content()).containsExactly(1, 2);
    assertThat(archive.has(7, "latest")).isFalse();
  }

  @Test
  void shouldSayThatAJobIsOfAnotherVersion() throws Exception {
    try (ObjectOutputStream out =
        new ObjectOutputStream(Files.newOutputStream(folder.resolve("1-latest.job")))) {
      out.writeObject(List.of("a job as it once was"));
    }
    assertThatThrownBy(() -> new JobArchive(folder).read(1, "latest"))
        .isInstanceOf(IOException.class)
        .hasMessage("it was written by another version");
  }
}
