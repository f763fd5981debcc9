package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.flow.ModuleCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where jumps into the copy are put, on functions written in assembler. */
class PlacementTest {
  @TempDir Path folder;

  private Plan plan(String body) throws Exception {
    return plan(body, "");
  }

  private Plan plan(String body, String behind) throws Exception {
    return plan(body, behind, Loads.OBSERVED);
  }

  private Plan plan(String body, String behind, Loads loads) throws Exception {
    Files.writeString(
        folder.resolve("p.s"),
        """
        .text
        .p2align 4
        .globl f
        .type f, @function
        f:
        %s
        .size f, .-f
        %s
        .section .note.GNU-stack
        """
            .formatted(body, behind));
    Process assembler =
        new ProcessBuilder("gcc", "-shared", "-nostdlib", "p.s", "-o", "p.so")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(assembler.waitFor()).isZero();
    return plan(folder.resolve("p.so"), loads);
  }

  private static Plan plan(Path library, Loads loads) throws Exception {
    ElfFile elf = ElfFile.read(library).orElseThrow();
    return Planner.plan(elf, ModuleCode.read(elf), Map.of(), loads, Map.of(), new byte[16]);
  }

  private static Map<String, Integer> counts(Plan plan) {
    return plan.coverage();
  }

  private static void assertNoOverlap(Plan plan) {
    List<Patch> sorted =
        plan.patches().stream().sorted(Comparator.comparingLong(Patch::address)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      assertThat(sorted.get(i).address())
          .isGreaterThanOrEqualTo(sorted.get(i - 1).address() + sorted.get(i - 1).length());
    }
  }

  @Test
  void shouldLeaveOutWhatIsOnlyReadWhereThatIsTrusted() throws Exception {
    String body =
        """
        mov (%rdi), %rax
        add %rax, (%rsi)
        lock xadd %rax, (%rdx)
        bt %rcx, (%rdi)
        call *8(%rdi)
        clwb (%rsi)
        sfence
        ret""";
    assertThat(counts(plan(body, ""))).containsEntry("sites", 7);
    assertThat(counts(plan(body, "", Loads.TRUSTED))).containsEntry("sites", 4);
  }

  @Test
  void shouldTakeOneLongInstruction() throws Exception {
    assertThat(counts(plan("movl $1, (%rdi)\nret"))).containsEntry("run.one_instruction", 1);
  }

  @Test
  void shouldTakeSeveralShortInstructions() throws Exception {
    assertThat(counts(plan("mov (%rdi), %eax\nmov (%rsi), %ecx\nadd %ecx, %eax\nret")))
        .containsEntry("run.several_instructions", 1);
  }

  @Test
  void shouldUsePaddingBehindTheFunction() throws Exception {
    Plan plan = plan("mov (%rdi), %eax\nret\n.p2align 4\nnop");

    assertThat(counts(plan)).containsEntry("run.several_instructions", 1);
  }

  @Test
  void shouldUsePaddingOnce() throws Exception {
    // The load between two jump targets needs an island; the jump at the end needs the padding.
    Plan plan =
        plan(
            """
            1: mov (%rdi), %eax
            2: dec %ecx
            jne 1b
            dec %edx
            jne 2b
            jmp *16(%rax)
            """,
            ".p2align 5\n.globl g\n.type g, @function\ng: ret\n.size g, .-g\n");

    assertThat(counts(plan)).containsEntry("run.several_instructions", 1);
    assertNoOverlap(plan);
  }

  @ParameterizedTest
  @ValueSource(strings = {"libcrypto.so.3", "libstdc++.so.6", "libpmemobj.so.1", "libc.so.6"})
  void shouldKeepThePatchesOfLibrariesApart(String name) throws Exception {
    Path library = Path.of("/usr/lib/x86_64-linux-gnu", name);
    assumeTrue(Files.exists(library));

    assertNoOverlap(plan(library, Loads.OBSERVED));
  }

  @Test
  void shouldMakeAnIslandInAStretchWithoutAccesses() throws Exception {
    // The load stands between two jump targets; the stretch before it has room and no access.
    Plan plan =
        plan(
            """
            mov $1, %ecx
            mov $2, %edx
            mov $3, %esi
            1: mov (%rdi), %eax
            2: dec %ecx
            jne 1b
            dec %edx
            jne 2b
            call f
            ret
            """);

    assertThat(counts(plan)).containsEntry("run.short_jump", 1).doesNotContainKey("run.trap");
    assertNoOverlap(plan);
  }

  @Test
  void shouldMakeCallsFromTheCopyWhereTheirBytesAreNeeded() throws Exception {
    Plan plan =
        plan(
            """
            sub $8, %rsp
            mov $1, %ebx
            mov $2, %r12d
            1: call *(%rdi)
            dec %ebx
            jne 1b
            add $8, %rsp
            ret
            """);

    assertThat(plan.gaps()).isEmpty();
    assertThat(plan.patches()).anyMatch(p -> p.kind() == Patch.Kind.SHORT_JUMP);
    assertNoOverlap(plan);
  }

  @Test
  void shouldJumpOverADirectCallWhereThereIsNoOtherRoom() throws Exception {
    // As compilers put them in a row for errors: every two bytes stand between two calls.
    Plan plan =
        plan(
            """
            call g
            mov %ebx, (%rax)
            call g
            mov %ebp, (%rax)
            call g
            """,
            ".globl g\n.type g, @function\ng: ret\n.size g, .-g\n");

    assertThat(counts(plan))
        .containsEntry("run.several_instructions", 2)
        .doesNotContainKey("run.trap");
    assertNoOverlap(plan);
  }

  @Test
  void shouldUsePaddingInsideAFunction() throws Exception {
    Plan plan =
        plan(
            """
            1: mov (%rdi), %eax
            2: dec %ecx
            jne 1b
            dec %edx
            jne 2b
            ret
            .byte 0x66, 0x0f, 0x1f, 0x44, 0, 0
            3: dec %esi
            jne 3b
            dec %r8d
            jne 2b
            ret
            """);

    assertThat(counts(plan)).containsEntry("run.short_jump", 1).doesNotContainKey("run.trap");
    assertNoOverlap(plan);
  }

  private static List<Patch> early(Plan plan) {
    return plan.patches().stream().filter(Patch::early).toList();
  }

  @Test
  void shouldWaitWithPlainAccessesUntilThereIsPersistentMemory() throws Exception {
    Plan plan =
        plan("1: mov 256(%rdi), %eax\ndec %ecx\njne 2f\nret\n2: lock xadd %rax, 256(%rdx)\nret");

    assertThat(early(plan)).extracting(Patch::length).containsExactly(5);
    assertThat(plan.patches()).hasSize(2);
  }

  @Test
  void shouldPatchAtOnceWhatHoldsTheIslandOfALockedInstruction() throws Exception {
    // The locked instruction has room for a short jump only; the load before it leaves dead bytes.
    Plan plan =
        plan(
            """
            mov 256(%rdi), %eax
            mov $1, %ecx
            mov $2, %edx
            1: dec %ecx
            jne 2f
            ret
            2: lock incb (%rdi)
            3: jne 1b
            jmp 3b
            """);

    assertThat(counts(plan)).containsEntry("run.short_jump", 1);
    assertThat(early(plan))
        .extracting(Patch::kind)
        .containsExactlyInAnyOrder(Patch.Kind.JUMP, Patch.Kind.JUMP, Patch.Kind.SHORT_JUMP);
  }

  @Test
  void shouldSayWhereOverwrittenInstructionsAre() throws Exception {
    Plan plan = plan("mov %esi, %ecx\nmov (%rdi), %eax\nret");
    long start = plan.patches().get(0).address();

    assertThat(plan.moved()).hasSize(4);
    assertThat(plan.moved()[0]).isEqualTo((int) start + 2);
    assertThat(plan.moved()[2]).isEqualTo((int) start + 4);
    assertThat(plan.moved()[3]).isGreaterThan(plan.moved()[1]);
  }

  @Test
  void shouldNameWhatItDoesNotUnderstand() throws Exception {
    Plan plan = plan("mov (%rdi), %eax\n.byte 0x06, 0x06\nret");

    assertThat(plan.gaps()).extracting(Gap::what).containsExactly(Gap.NOT_UNDERSTOOD);
  }
}
