package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.flow.Callees;
import dev.perdure.binary.flow.JumpTargets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which loads and acquisitions need no time of their own, on functions written in assembler. */
class EventsAheadTest {
  @TempDir Path folder;

  private EventsAhead of(String... instructions) throws Exception {
    AssembledFunction f = AssembledFunction.of(folder, instructions);
    return new EventsAhead(
        f.function(), f.kinds(), JumpTargets.of(f.module()), new Callees(f.module()));
  }

  private List<Integer> loads(String... instructions) throws Exception {
    return of(instructions).loads().stream().boxed().toList();
  }

  @Test
  void shouldFindLoadsBeforeAnotherAccessOfTheSameObject() throws Exception {
    assertThat(loads("mov (%rdi), %rax", "mov 8(%rdi), %rcx")).containsExactly(0);
    assertThat(loads("mov (%rdi), %rax", "mov %rax, 8(%rdi)")).containsExactly(0);
    assertThat(loads("mov (%rdi), %rax", "mov 8(%rsi), %rcx")).isEmpty();
    assertThat(loads("mov (%rdi), %rdi", "mov 8(%rdi), %rcx")).isEmpty();
    assertThat(loads("mov (%rdi), %rax", "inc %edi", "mov 8(%rdi), %rcx")).isEmpty();
  }

  @Test
  void shouldKnowWhichRegisterIsThePointer() throws Exception {
    assertThat(loads("mov (%rdi,%rcx,8), %rax", "mov %rax, (%rdi)")).containsExactly(0);
    assertThat(loads("mov (%rcx,%rsi), %rax", "mov %rax, (%rcx,%rdi)")).isEmpty();
    assertThat(loads("mov (%rdi), %rax", "mov %rax, (%rdi,%rsi)")).isEmpty();
  }

  @Test
  void shouldFindLoadsBeforeFencesFlushesLockedInstructionsAndReleases() throws Exception {
    for (String event :
        List.of(
            "sfence",
            "clwb (%rsi)",
            "lock incq (%rsi)",
            "xchg %rcx, (%rsi)",
            "call pthread_mutex_unlock@plt",
            "call *pthread_mutex_unlock@GOTPCREL(%rip)",
            "jmp pthread_spin_unlock@plt")) {
      assertThat(loads("mov (%rdi), %rax", "mov (%rax), %rax", event))
          .as(event)
          .containsExactly(0, 1);
    }
  }

  @Test
  void shouldWantAnEventOnEveryWay() throws Exception {
    assertThat(loads("mov (%rdi), %rax", "jne 1f", "sfence", "ret", "1: mov %rax, 8(%rdi)"))
        .containsExactly(0);
    assertThat(loads("mov (%rdi), %rax", "jne 1f", "sfence", "1:")).isEmpty();
  }

  @Test
  void shouldNotLookBeyondCallsLoopsAndStringInstructions() throws Exception {
    assertThat(loads("mov (%rbx), %rax", "call g@plt", "mov 8(%rbx), %rax")).isEmpty();
    assertThat(loads("mov (%rdi), %rax", "call *%rsi", "sfence")).isEmpty();
    assertThat(loads("mov (%rdi), %rax", "rep movsb", "sfence")).isEmpty();
    assertThat(loads("mov (%rdi), %rax", "1: dec %rcx", "jne 1b", "sfence")).isEmpty();
    assertThat(loads("1: mov (%rdi), %rax", "test %rax, %rax", "je 1b", "sfence")).isEmpty();
    assertThat(loads("mov (%rdi), %rax", "jmp g@plt")).isEmpty();
    assertThat(loads("mov (%rdi), %rax", "jmp *%rax", "sfence")).isEmpty();
  }

  @Test
  void shouldLeaveLoadsOfSeveralWordsAlone() throws Exception {
    assertThat(loads("movdqu (%rdi), %xmm0", "sfence")).isEmpty();
  }

  @Test
  void shouldFindAcquisitions() throws Exception {
    EventsAhead ahead =
        of(
            "call pthread_mutex_lock@plt",
            "mov (%rbx), %rax",
            "call pthread_mutex_unlock@plt",
            "call pthread_mutex_lock@plt",
            "mov (%rbx), %rax");

    assertThat(ahead.acquisitions().stream()).containsExactly(0);
    assertThat(ahead.loads().stream()).containsExactly(1);
  }
}
