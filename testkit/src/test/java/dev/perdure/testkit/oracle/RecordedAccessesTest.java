package dev.perdure.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.trace.text.TextTrace;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedAccessesTest {
  @TempDir Path folder;

  private Path library() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("l.s"),
            ".globl work\n.type work,@function\nwork: mov %rax,(%rdi)\nrep movsb\ncall memcpy\n"
                + ".size work,.-work\n.section .note.GNU-stack,\"\",@progbits\n");
    Commands.run(
        folder,
        List.of("gcc", "-shared", "-s", "-o", "lib.so", source.getFileName().toString()),
        Map.of());
    return folder.resolve("lib.so");
  }

  @Test
  void shouldFindInstructionsBySymbolAndByAddress() throws Exception {
    Path library = library();
    long work =
        ElfFile.read(library).orElseThrow().symbols().stream()
            .filter(s -> s.name().equals("work"))
            .findFirst()
            .orElseThrow()
            .address();
    String trace =
        """
        file 0 addr=0x200000000000 length=4096 dev=1 ino=1 /pool
        site 1 work ?:0@lib.so+0x0
        site 2 lib.so+0x%x ?:0@lib.so
        site 3 work ?:0@lib.so+0x5
        site 4 memcpy ?:0@libc.so.6+0x7
        T1 store addr=0x200000000010 size=8 value=0x1 site=1 t=1
        T1 store_block addr=0x200000000040 length=3 bytes=010203 site=2 t=2
        T1 store_block addr=0x200000000080 length=3 bytes=010203 site=3 t=3
        T1 store addr=0x200000000090 size=8 value=0x1 site=4 t=4
        T1 store addr=0x300000000010 size=8 value=0x1 site=1 t=5
        T1 rmw addr=0x200000000020 size=4 op=cas old=0x1 new=0x2 site=1 t=6
        """
            .formatted(work + 3);
    var wanted = new AccessSet();
    wanted.add(new AccessSet.Key("lib.so", work, AccessKind.STORE), 0x10, 8);
    wanted.add(new AccessSet.Key("lib.so", work, AccessKind.STORE), 0x20, 4);
    wanted.add(new AccessSet.Key("lib.so", work + 3, AccessKind.STORE), 0x40, 3);

    AccessSet recorded =
        RecordedAccesses.read(
            new TextTrace(new StringReader(trace), "trace"),
            Map.of("lib.so", library, "libc.so.6", Path.of("/lib/x86_64-linux-gnu/libc.so.6")));

    assertThat(recorded.without(wanted)).isEmpty();
    assertThat(wanted.without(recorded)).isEmpty();
  }
}
