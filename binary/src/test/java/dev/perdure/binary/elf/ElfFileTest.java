package dev.perdure.binary.elf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfFileTest {
  @TempDir Path folder;

  private Path program(String... options) throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("p.c"),
            "int answer(void) { return 42; }\nint main(void) { return answer(); }\n");
    Path program = folder.resolve("p");
    var command =
        new java.util.ArrayList<>(
            java.util.List.of("gcc", "-o", program.toString(), source.toString()));
    command.addAll(java.util.List.of(options));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    return program;
  }

  @Test
  void shouldReadSectionsSegmentsAndSymbols() throws Exception {
    ElfFile elf = ElfFile.read(program("-Wl,--build-id=sha1")).orElseThrow();

    assertThat(elf.runsHere()).isTrue();
    assertThat(elf.machine()).isEqualTo("x86-64");
    assertThat(elf.dynamic()).isTrue();
    ElfSection text =
        elf.sections().stream().filter(s -> s.name().equals(".text")).findFirst().orElseThrow();
    ElfSymbol answer =
        elf.symbols().stream().filter(s -> s.name().equals("answer")).findFirst().orElseThrow();
    assertThat(answer.function()).isTrue();
    assertThat(text.contains(answer.address())).isTrue();
    assertThat(text.executable()).isTrue();
    assertThat(elf.content(text).remaining()).isEqualTo((int) text.size());
    assertThat(elf.buildId().orElseThrow()).hasSize(40);
  }

  @Test
  void shouldTellFixedAndStaticPrograms() throws Exception {
    ElfFile fixed = ElfFile.read(program("-no-pie", "-static")).orElseThrow();

    assertThat(fixed.fixedAddress()).isTrue();
    assertThat(fixed.dynamic()).isFalse();
    assertThat(ElfFile.read(program("-static-pie")).orElseThrow().dynamic()).isFalse();
    assertThat(ElfFile.read(program("-no-pie")).orElseThrow().dynamic()).isTrue();
  }

  @Test
  void shouldReadDamagedFilesWithoutFailing() throws Exception {
    byte[] whole = Files.readAllBytes(program());
    Random random = new Random(5);
    Path damaged = folder.resolve("damaged");
    for (int i = 0; i < 300; i++) {
      byte[] bytes = java.util.Arrays.copyOf(whole, 64 + random.nextInt(whole.length - 64));
      bytes[20 + random.nextInt(44)] = (byte) random.nextInt();
      Files.write(damaged, bytes);
      ElfFile elf = ElfFile.read(damaged).orElseThrow();
      assertThat(elf.sections().size() + elf.segments().size() + elf.symbols().size())
          .isLessThan(1 << 20);
    }
  }
}
