package dev.perdure.report.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 3, 4, 12, 0, 5);

  @TempDir Path directory;

  @Test
  void shouldNameRunsByTimeAndPointAtTheLatest() throws IOException {
    RunDirectory first = RunDirectory.create(directory, NOON);
    RunDirectory second = RunDirectory.create(directory, NOON);

    assertThat(first.path()).isEqualTo(directory.resolve("perdure-out/20260304-120005"));
    assertThat(second.path()).isEqualTo(directory.resolve("perdure-out/20260304-120005-2"));
    assertThat(directory.resolve("perdure-out/latest").toRealPath())
        .isEqualTo(second.path().toRealPath());
    try (var entries = Files.list(directory.resolve("perdure-out"))) {
      assertThat(entries).hasSize(3);
    }
  }

  @Test
  void shouldBeReadableByItsOwnerOnly() throws IOException {
    RunDirectory run = RunDirectory.at(directory.resolve("a/b"));
    run.write(run.findings(), new byte[] {1});

    assertThat(mode(run.path())).isEqualTo("rwx------");
    assertThat(mode(run.findings())).isEqualTo("rw-------");
  }

  @Test
  void shouldReplaceAnEarlierRunAndNothingElse() throws IOException {
    Path chosen = Files.createDirectory(directory.resolve("mine"));
    Files.setPosixFilePermissions(chosen, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(chosen.resolve("findings.json"), "old");
    Files.writeString(chosen.resolve("notes"), "keep me");

    RunDirectory run = RunDirectory.at(chosen);

    assertThat(run.findings()).doesNotExist();
    assertThat(chosen.resolve("notes")).hasContent("keep me");
    assertThat(mode(chosen)).isEqualTo("rwxr-xr-x");
  }

  @Test
  void shouldLeaveTheOldFileWhenTheNewOneCannotBeWritten() throws IOException {
    Path file = directory.resolve("there/findings.json");

    assertThatThrownBy(() -> AtomicFile.write(file, new byte[] {1}))
        .isInstanceOf(IOException.class);
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldLeaveTheOldFileWhenTheNewOneEndsHalfway() throws IOException {
    Path file = Files.writeString(directory.resolve("findings.json"), "old");
    AtomicFile.Content half =
        out -> {
          out.write(1);
          throw new IOException("no more of it");
        };

    assertThatThrownBy(() -> AtomicFile.write(file, half)).hasMessage("no more of it");
    assertThat(file).hasContent("old");
    try (var entries = Files.list(directory)) {
      assertThat(entries).containsExactly(file);
    }
  }

  @Test
  void shouldWriteThroughLinksAndToSpecialFiles() throws IOException {
    Path file = Files.writeString(directory.resolve("real"), "old");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);

    AtomicFile.write(link, "new".getBytes(StandardCharsets.UTF_8));
    AtomicFile.write(Path.of("/dev/null"), new byte[] {1});

    assertThat(file).hasContent("new");
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    try (var entries = Files.list(directory)) {
      assertThat(entries).hasSize(2);
    }
  }

  @Test
  void shouldTakeADashForStandardOutput() throws IOException {
    var out = new ByteArrayOutputStream();

    AtomicFile.writeTo("-", new byte[] {7}, new PrintStream(out));

    assertThat(out.toByteArray()).containsExactly(7);
  }

  @Test
  void shouldSayWhenStandardOutputTakesNothing() throws IOException {
    try (var full = new PrintStream("/dev/full")) {
      assertThatThrownBy(() -> AtomicFile.writeTo("-", new byte[] {7}, full))
          .hasMessageContaining("standard output");
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
