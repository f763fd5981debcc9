package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.JumpTargets;
import dev.perdure.binary.flow.ModuleCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which accesses rely on a test before them, on functions written in assembler. */
class SharedTestsTest {
  @TempDir Path folder;

  private SharedTests of(String... instructions) throws Exception {
    Files.writeString(
        folder.resolve("s.s"),
        ".globl f\n.type f, @function\nf:\n"
            + String.join("\n", instructions)
            + "\nret\n.size f, .-f\n.section .note.GNU-stack\n");
    Process assembler =
        new ProcessBuilder("gcc", "-shared", "-nostdlib", "s.s", "-o", "s.so")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(assembler.waitFor()).isZero();
    ElfFile elf = ElfFile.read(folder.resolve("s.so")).orElseThrow();
    ModuleCode module = ModuleCode.read(elf);
    Function function = module.functions().get(0);
    Candidates candidates = new Candidates(function, List.of(), Loads.OBSERVED);
    SiteKind[] kinds =
        function.code().stream().map(i -> candidates.kind(i).orElse(null)).toArray(SiteKind[]::new);
    CodeRuns runs = new CodeRuns(JumpTargets.of(module));
    return SharedTests.of(function, kinds, next -> runs.endsBefore(function.code(), next));
  }

  @Test
  void shouldTestAnObjectOnce() throws Exception {
    SharedTests shared = of("mov (%rdi), %rax", "mov %rax, 8(%rdi)", "mov 16(%rsi), %rcx");

    assertThat(shared.leaders().stream()).containsExactly(0);
    assertThat(shared.followers().stream()).containsExactly(1);
    assertThat(shared.stretches()).containsExactly(new SharedTests.Stretch(0, 1));
  }

  @Test
  void shouldTestAgainWhenTheRegisterChanged() throws Exception {
    assertThat(of("mov (%rdi), %rdi", "mov 8(%rdi), %rax").followers().stream()).isEmpty();
    assertThat(of("mov (%rdi), %rax", "mov $1, %dil", "mov (%rdi), %rcx").followers().stream())
        .isEmpty();
    assertThat(
            of("mov (%rdi,%rcx), %rax", "inc %rcx", "mov (%rdi,%rcx), %rdx").followers().stream())
        .isEmpty();
  }

  @Test
  void shouldTestAgainFarAway() throws Exception {
    assertThat(of("mov (%rdi), %rax", "mov 8192(%rdi), %rcx").followers().stream()).isEmpty();
  }

  @Test
  void shouldTestAgainBehindJumpTargetsAndCalls() throws Exception {
    assertThat(of("mov (%rdi), %rax", "1: mov 8(%rdi), %rcx", "jne 1b").followers().stream())
        .isEmpty();
    assertThat(of("mov (%rbx), %rax", "call *%rax", "mov 8(%rbx), %rcx").followers().stream())
        .isEmpty();
  }

  @Test
  void shouldTestAgainBehindLockedInstructions() throws Exception {
    assertThat(of("mov 8(%rdi), %rax", "lock incq (%rdi)", "movq $0, (%rdi)").followers().stream())
        .isEmpty();
  }
}
