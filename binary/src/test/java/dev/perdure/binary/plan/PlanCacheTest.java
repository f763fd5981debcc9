package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCacheTest {
  @TempDir Path folder;

  private Path plan(String name, Duration age) throws Exception {
    Path file = Files.createFile(folder.resolve(name));
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    return file;
  }

  @Test
  void shouldRemoveOldPlansOfOtherVersionsOnly() throws Exception {
    Path outdated = plan("0a1b-4096-v1.plan", Duration.ofDays(2));
    Path outdatedNamed = plan("0a1b-4096-v1-77aa.plan", Duration.ofDays(2));
    Path inUse = plan("0a1b-4096-v2.plan", Duration.ofHours(1));
    Path current = plan("0a1b-4096-v" + PlanFile.VERSION + ".plan", Duration.ofDays(90));
    Path foreign = plan("notes.txt", Duration.ofDays(90));

    Path made =
        new PlanCache(folder)
            .of(
                ElfFile.read(Path.of("/bin/true")).orElseThrow(),
                NamedFunctions.NONE,
                Loads.TRUSTED,
                Optional.empty(),
                UnaryOperator.identity());

    assertThat(outdated).doesNotExist();
    assertThat(outdatedNamed).doesNotExist();
    assertThat(inUse).exists();
    assertThat(current).exists();
    assertThat(foreign).exists();
    assertThat(made).exists();
  }
}
