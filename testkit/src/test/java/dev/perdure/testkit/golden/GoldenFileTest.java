package dev.perdure.testkit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenFileTest {
  @TempDir Path directory;

  @Test
  void shouldPassOnEqualText() throws IOException {
    Files.writeString(file(), "one\ntwo\n");

    golden(false, false).assertMatches("one\ntwo\n");
  }

  @Test
  void shouldNameTheFirstDifference() throws IOException {
    Files.writeString(file(), "one\ntwo\n");

    assertThatThrownBy(() -> golden(false, false).assertMatches("one\n2\n"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("differs from line 2 on")
        .hasMessageContaining("expected: two")
        .hasMessageContaining("actual:   2");
  }

  @Test
  void shouldFailWithoutAFile() {
    assertThatThrownBy(() -> golden(false, false).assertMatches("x"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dgolden.update=true");
  }

  @Test
  void shouldWriteWhenUpdating() {
    golden(true, false).assertMatches("fresh\n");

    assertThat(file()).hasContent("fresh\n");
  }

  @Test
  void shouldRefuseToUpdateInContinuousIntegration() {
    assertThatThrownBy(() -> golden(true, true).assertMatches("fresh\n"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("CI");
    assertThat(file()).doesNotExist();
  }

  @Test
  void shouldScrubWhatChangesFromRunToRun() {
    String text =
        "8 bytes at 0x7f00a3b4c010, 2.4 ms later, by thread 12 in /tmp/x/prog, run 20260304-120005";

    assertThat(Scrubber.ofReports().replacing(Path.of("/tmp/x"), "DIR").scrub(text))
        .isEqualTo("8 bytes at 0xADDRESS, TIME later, by thread N in DIR/prog, run DATE");
  }

  @Test
  void shouldScrubTheNumbersOfFindingsFiles() {
    assertThat(Scrubber.ofReports().scrub("\"seconds\": 0.42, \"thread\": 3, \"line\": 3"))
        .isEqualTo("\"seconds\": 0, \"thread\": 0, \"line\": 3");
  }

  private Path file() {
    return directory.resolve("golden.txt");
  }

  private GoldenFile golden(boolean update, boolean continuousIntegration) {
    return new GoldenFile(file(), Scrubber.NONE, update, continuousIntegration);
  }
}
