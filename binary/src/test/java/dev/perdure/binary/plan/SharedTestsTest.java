package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.flow.JumpTargets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which accesses rely on a test before them, on functions written in assembler. */
class SharedTestsTest {
  @TempDir Path folder;

  private SharedTests of(String... instructions) throws Exception {
    AssembledFunction f = AssembledFunction.of(folder, instructions);
    CodeRuns runs = new CodeRuns(JumpTargets.of(f.module()));
    return SharedTests.of(
        f.function(), f.kinds(), next -> runs.endsBefore(f.function().code(), next));
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
