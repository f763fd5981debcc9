package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.flow.Callees;
import dev.perdure.binary.flow.JumpTargets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which stores and flushes may have the time of the last event, on functions in assembler. */
class EventsBehindTest {
  @TempDir Path folder;

  private List<Integer> preceded(String... instructions) throws Exception {
    AssembledFunction f = AssembledFunction.of(folder, instructions);
    return new EventsBehind(
            f.function(), f.kinds(), JumpTargets.of(f.module()), new Callees(f.module()))
        .preceded()
        .boxed()
        .toList();
  }

  @Test
  void shouldFindStoresAndFlushesOfTheSameObject() throws Exception {
    assertThat(preceded("mov %rax, (%rdi)", "mov %rax, 8(%rdi)", "clwb (%rdi)"))
        .containsExactly(1, 2);
    assertThat(preceded("mov %rax, (%rdi)", "mov %rax, 8(%rsi)", "clwb (%rcx)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "inc %edi", "mov %rax, 8(%rdi)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi,%rcx)", "mov %rax, (%rdi)")).isEmpty();
  }

  @Test
  void shouldFindWhatFollowsAFence() throws Exception {
    assertThat(preceded("sfence", "inc %rdi", "mov %rax, (%rdi)", "clflushopt (%rsi)"))
        .containsExactly(2, 3);
    assertThat(preceded("lock orl $0, (%rsp)", "mov %rax, (%rdi)")).isEmpty();
  }

  @Test
  void shouldFollowCopiesOfAPointer() throws Exception {
    assertThat(
            preceded("mov %rax, (%rdi)", "mov %rdi, %rcx", "and $-64, %rcx", "clflushopt (%rcx)"))
        .containsExactly(3);
    assertThat(preceded("mov %rax, (%rdi)", "lea 64(%rdi), %rcx", "clwb (%rcx)"))
        .containsExactly(2);
    assertThat(preceded("mov %rax, (%rdi)", "mov %edi, %ecx", "clwb (%rcx)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "lea (%rdi,%rsi), %rcx", "clwb (%rcx)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "add %rsi, %rdi", "clwb (%rdi)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "lea 65536(%rdi), %rcx", "clwb (%rcx)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "mov %rdi, %rcx", "xor %ecx, %ecx", "clwb (%rcx)"))
        .isEmpty();
  }

  @Test
  void shouldFindLoopsWithAnEventInEveryRound() throws Exception {
    assertThat(
            preceded(
                "mov %rax, (%rdi)", "1: clwb (%rdi)", "add $64, %rdi", "cmp %rsi, %rdi", "jb 1b"))
        .containsExactly(1);
    assertThat(preceded("1: clwb (%rdi)", "add $64, %rdi", "cmp %rsi, %rdi", "jb 1b")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "1: dec %rcx", "jne 1b", "mov %rax, 8(%rdi)"))
        .isEmpty();
  }

  @Test
  void shouldWantAnEventOnEveryWay() throws Exception {
    assertThat(preceded("jne 1f", "mov %rax, (%rdi)", "1: mov %rax, 8(%rdi)")).isEmpty();
    assertThat(preceded("jne 1f", "mov %rax, (%rdi)", "jmp 2f", "1: sfence", "2: clwb 8(%rdi)"))
        .containsExactly(4);
  }

  @Test
  void shouldNotLookBeyondReadsCallsAndLockedInstructions() throws Exception {
    for (String between :
        List.of(
            "mov (%rsi), %rcx",
            "cmp %rcx, (%rsi)",
            "add %rcx, (%rsi)",
            "call g@plt",
            "call *%rsi",
            "lock incq (%rsi)",
            "syscall",
            "rep movsb")) {
      assertThat(preceded("mov %rax, (%rbx)", between, "mov %rax, 8(%rbx)")).as(between).isEmpty();
    }
    assertThat(preceded("mov %rax, (%rbx)", "mov 8(%rsp), %rcx", "mov %rax, 8(%rbx)"))
        .containsExactly(2);
    assertThat(preceded("mov %rax, (%rbx)", "mov %fs:0, %rcx", "mov %rax, 8(%rbx)"))
        .containsExactly(2);
  }

  @Test
  void shouldGiveATimeToAStoreThatMayOverwriteAnother() throws Exception {
    assertThat(preceded("mov %rax, (%rdi)", "mov %rcx, (%rdi)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "mov %ecx, 4(%rdi)", "mov %rcx, 8(%rdi)"))
        .containsExactly(2);
    assertThat(preceded("sfence", "mov %rax, (%rdi)", "mov %rcx, (%rdi)")).containsExactly(1);
    assertThat(preceded("mov %rax, 8(%rdi)", "mov %rcx, (%rdi,%rsi,8)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "mov %rdi, %rcx", "mov %rax, (%rcx)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "1: mov %rcx, 8(%rdi)", "dec %rcx", "jne 1b"))
        .isEmpty();
    assertThat(preceded("mov %rax, (%rdi,%rsi,8)", "dec %rsi", "mov %rcx, 8(%rdi,%rsi,8)"))
        .isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "add $8, %rdi", "mov %rcx, -8(%rdi)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi,%rsi,8)", "mov %rcx, 8(%rdi,%rsi,8)")).containsExactly(1);
  }

  @Test
  void shouldLeaveAloneWhatEndsWindowsOrNeedsNoFlush() throws Exception {
    assertThat(preceded("mov %rax, (%rdi)", "clflush (%rdi)")).isEmpty();
    assertThat(preceded("mov %rax, (%rdi)", "movnti %rax, 8(%rdi)")).isEmpty();
    assertThat(preceded("clflush (%rdi)", "mov %rax, (%rdi)")).containsExactly(1);
  }
}
