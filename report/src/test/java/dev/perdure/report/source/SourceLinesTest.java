package dev.perdure.report.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceLinesTest {
  @TempDir Path directory;

  @Test
  void shouldFindRelativeAndAbsolutePaths() throws IOException {
    Path file = Files.writeString(directory.resolve("a.c"), "int x;\n\t  x = 1;  \n\n");
    SourceLines source = SourceLines.fromFiles(List.of(directory.resolve("none"), directory));

    assertThat(source.line("a.c", 2)).contains("x = 1;");
    assertThat(source.line(file.toString(), 1)).contains("int x;");
  }

  @Test
  void shouldGiveNothingForWhatIsNotThere() throws IOException {
    Files.writeString(directory.resolve("a.c"), "int x;\n\n");
    Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 0, 10, 1});
    SourceLines source = SourceLines.fromFiles(List.of(directory));

    assertThat(source.line("a.c", 0)).isEmpty();
    assertThat(source.line("a.c", 2)).isEmpty();
    assertThat(source.line("a.c", 99)).isEmpty();
    assertThat(source.line("b.c", 1)).isEmpty();
    assertThat(source.line("", 1)).isEmpty();
    assertThat(source.line("bad\0name", 1)).isEmpty();
    assertThat(source.line("binary", 7)).isEmpty();
  }
}
