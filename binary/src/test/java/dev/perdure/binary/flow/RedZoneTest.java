package dev.perdure.binary.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedZoneTest {
  @TempDir Path folder;

  private boolean mayBeUsedBy(String body) throws Exception {
    Files.writeString(
        folder.resolve("z.s"),
        """
        .text
        .globl f
        .type f, @function
        f:
        %s
        ret
        .size f, .-f
        .section .note.GNU-stack
        """
            .formatted(body));
    Process assembler =
        new ProcessBuilder("gcc", "-shared", "-nostdlib", "z.s", "-o", "z.so")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(assembler.waitFor()).isZero();
    ElfFile elf = ElfFile.read(folder.resolve("z.so")).orElseThrow();
    return RedZone.mayBeUsedBy(ModuleCode.read(elf).functions().get(0));
  }

  @Test
  void shouldExpectItWhereNothingIsCalled() throws Exception {
    assertThat(mayBeUsedBy("mov (%rdi), %rax")).isTrue();
  }

  @Test
  void shouldNotExpectItBesideCalls() throws Exception {
    assertThat(mayBeUsedBy("mov 8(%rsp), %rax\ncall f\ncall *%rax")).isFalse();
  }

  @Test
  void shouldBelieveCodeThatNamesIt() throws Exception {
    assertThat(mayBeUsedBy("mov %rax, -8(%rsp)\ncall f")).isTrue();
    assertThat(mayBeUsedBy("mov %rax, (%rsp, %rcx, 8)\ncall f")).isTrue();
  }
}
