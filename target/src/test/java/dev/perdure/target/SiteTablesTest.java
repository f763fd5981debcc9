package dev.perdure.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTablesTest {
  private static final SiteTable TABLE =
      new SiteTable(List.of(new Site(List.of(new Frame("put", "table.c", 785)))));

  @TempDir Path folder;

  private Path library(boolean withSites) throws Exception {
    Path bytes = Files.write(folder.resolve("sites"), TABLE.toBytes());
    String section =
        "__asm__(\".section .perdure.sites\\n.incbin \\\"" + bytes + "\\\"\\n.previous\");\n";
    Path source =
        Files.writeString(folder.resolve("l.c"), (withSites ? section : "") + "int x = 1;\n");
    Path library = folder.resolve(withSites ? "with.so" : "without.so");
    assertThat(
            new ProcessBuilder("gcc", "-shared", "-o", library.toString(), source.toString())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    return library;
  }

  @Test
  void shouldReadTheTableOfInstrumentedFile() throws Exception {
    Path library = library(true);

    assertThat(SiteTables.in(ElfFile.read(library).orElseThrow())).isTrue();
    assertThat(new SiteTables().apply(library.toString(), SiteTables.id(TABLE.toBytes())))
        .contains(TABLE);
  }

  @Test
  void shouldFindNothingInFilesThatWereBuiltAnewOrNotInstrumented() throws Exception {
    String id = SiteTables.id(TABLE.toBytes());
    assertThat(new SiteTables().apply(library(true).toString(), "0".repeat(32))).isEmpty();
    assertThat(new SiteTables().apply(library(false).toString(), id)).isEmpty();
    assertThat(new SiteTables().apply(folder.resolve("gone").toString(), id)).isEmpty();
    Path text = Files.writeString(folder.resolve("text"), "hello");
    assertThat(new SiteTables().apply(text.toString(), id)).isEmpty();
    assertThat(SiteTables.in(ElfFile.read(library(false)).orElseThrow())).isFalse();
    assertThat(ElfFile.read(text)).isEmpty();
  }

  @Test
  void shouldSurviveDamagedFiles() throws Exception {
    byte[] whole = Files.readAllBytes(library(true));
    Path damaged = folder.resolve("damaged.so");
    Random random = new Random(3);
    String id = SiteTables.id(TABLE.toBytes());
    for (int i = 0; i < 500; i++) {
      byte[] bytes = whole.clone();
      bytes[random.nextInt(64)] = (byte) random.nextInt();
      bytes[bytes.length - 1 - random.nextInt(2000)] = (byte) random.nextInt();
      Files.write(damaged, bytes);
      assertThat(new SiteTables().apply(damaged.toString(), id).orElse(TABLE)).isEqualTo(TABLE);
    }
  }
}
