package dev.perdure.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.trace.live.RecordingSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingSpaceTest {
  private static final long MB = 1 << 20;

  @TempDir Path folder;
  private Path ram;
  private Path run;

  @BeforeEach
  void create() throws Exception {
    ram = Files.createDirectory(folder.resolve("ram"));
    run = Files.createDirectory(folder.resolve("run"));
  }

  @Test
  void shouldPreferTheRamDiskWhereItHasRoom() throws Exception {
    RecordingSpace space = RecordingSpace.choose(ram, 256 * MB, run, 9000 * MB);

    assertThat(space.folder()).startsWith(ram);
    assertThat(space.ringSlots()).isEqualTo(RecordingSettings.DEFAULT_RING_SLOTS);
  }

  @Test
  void shouldUseTheRunDirectoryWhereTheRamDiskIsSmall() throws Exception {
    assertThat(RecordingSpace.choose(ram, 64 * MB, run, 9000 * MB).folder()).startsWith(run);
  }

  @Test
  void shouldMakeSmallRingsWhereSpaceIsScarce() throws Exception {
    RecordingSpace space = RecordingSpace.choose(ram, 64 * MB, run, 20 * MB);

    assertThat(space.folder()).startsWith(ram);
    assertThat(space.ringSlots()).isLessThan(RecordingSettings.DEFAULT_RING_SLOTS);
  }

  @Test
  void shouldSayWhereThereIsNoSpace() {
    assertThatThrownBy(() -> RecordingSpace.choose(ram, 3 * MB, run, 2 * MB))
        .isInstanceOf(TargetStartException.class)
        .hasMessage(
            "no space for the recording: %s has 3 MB free, %s has 2 MB free; free some, or choose another folder with --out"
                .formatted(ram, run));
  }

  @Test
  void shouldSweepWhatKilledRunsLeftBehind() throws Exception {
    String prefix = "perdure-" + RecordingSpace.processNamespace() + "-";
    Path stale = Files.createDirectory(ram.resolve(prefix + "999999999-x"));
    Path elsewhere = Files.createDirectory(ram.resolve("perdure-1-999999999-x"));
    Files.writeString(stale.resolve("recording"), "x");
    Path own = Files.createDirectory(ram.resolve(prefix + ProcessHandle.current().pid() + "-x"));
    Path foreign = Files.createDirectory(ram.resolve("perdure-notes"));
    RecordingSpace.choose(ram, 256 * MB, run, 0);

    assertThat(stale).doesNotExist();
    assertThat(elsewhere).exists();
    assertThat(own).exists();
    assertThat(foreign).exists();
  }
}
