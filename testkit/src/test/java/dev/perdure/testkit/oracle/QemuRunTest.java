package dev.perdure.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs Debian's qemu-user. */
class QemuRunTest {
  private static final Path SOURCES =
      Path.of(System.getProperty("perdure.home"), "testkit", "src", "oracle");

  @TempDir Path folder;

  @Test
  void shouldSeeStoresLoadsFlushesAndFencesOfTheProgram() throws Exception {
    var qemu = new QemuRun(SOURCES, folder.toRealPath());
    Path program = qemu.build(List.of("gcc", "-O1"), "mapped", List.of());

    List<String> seen = qemu.accesses(program, Map.of()).outside().without(new AccessSet());

    assertThat(seen).allMatch(line -> line.startsWith("mapped+0x"));
    assertThat(seen).filteredOn(line -> line.endsWith(" flush")).hasSize(1);
    assertThat(seen).filteredOn(line -> line.endsWith(" fence")).hasSize(2);
    // rep movsb of 24 bytes to the name of record 3, rep stosq of 16 words to record 600
    assertThat(seen).anyMatch(line -> line.endsWith(" store 0xe0-0xf7"));
    assertThat(seen).anyMatch(line -> line.endsWith(" store 0x9600-0x967f"));
    // a 16-byte store to record 701, and a failed compare-and-swap of the key of record 2
    assertThat(seen).anyMatch(line -> line.endsWith(" store 0xaf40-0xaf4f"));
    assertThat(seen).anyMatch(line -> line.endsWith(" store 0x80-0x87"));
  }

  @Test
  void shouldTellWhatHappensInsideFlushesCopiesAndLocks() throws Exception {
    var qemu = new QemuRun(SOURCES, folder.toRealPath());
    Path program = qemu.build(List.of("gcc", "-O1"), "transactions", List.of("-lpmemobj"));

    QemuAccesses accesses = qemu.accesses(program, Map.of("PMEM_IS_PMEM_FORCE", "1"));
    List<String> all = accesses.all().without(new AccessSet());
    List<String> outside = accesses.outside().without(new AccessSet());

    assertThat(outside).anyMatch(line -> line.startsWith("transactions+0x"));
    assertThat(outside).anyMatch(line -> line.matches("libpmemobj\\.so.* store .*"));
    assertThat(outside).noneMatch(line -> line.matches("libpmem\\.so.* (flush|fence)"));
    assertThat(all).anyMatch(line -> line.matches("libpmem\\.so.* flush"));
    assertThat(all).noneMatch(line -> line.startsWith("libc.so"));
  }
}
