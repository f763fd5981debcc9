package dev.perdure.robust.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.FlushFunctions;
import dev.perdure.model.repair.Insertion;
import dev.perdure.robust.FixMode;
import dev.perdure.robust.FixOptions;
import dev.perdure.robust.FlushInstruction;
import dev.perdure.robust.RobustnessPass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrippingTest {
  private static final Stripping STRIPPING =
      new Stripping(new FlushFunctions(List.of(), List.of("own_fence"), List.of()));

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "__asm__ volatile(\"sfence\" : : : \"memory\")",
        "__asm__(\"sfence\")",
        "__builtin_ia32_sfence()",
        "pmem_drain()",
        "own_fence()"
      })
  void shouldKeepTheLoadOfAWaitLoopInTheLoop(String fence) throws IOException {
    boolean waits =
        CompiledProgram.look(
            folder,
            """
            void pmem_drain(void);
            void own_fence(void);
            static int ready;
            void set(void) { ready = 1; }
            void await(void) { while (!ready) %s; }
            """
                .formatted(fence),
            (module, demangler) -> {
              assertThat(STRIPPING.strip(module)).isEqualTo(1);
              module.run("default<O2>");
              module.verify();
              return loadsInLoop(module, "await");
            });

    assertThat(waits).isTrue();
  }

  @Test
  void shouldLeaveNothingOfAssemblyThatWasNoBarrier() throws IOException {
    long barriers =
        CompiledProgram.look(
            folder,
            "void f(int *x) { *x = 1; __asm__ volatile(\"clwb %0\" : \"+m\"(*x)); }",
            (module, demangler) -> {
              assertThat(STRIPPING.strip(module)).isEqualTo(1);
              return module.function("f").orElseThrow().blocks().stream()
                  .flatMap(block -> block.instructions().stream())
                  .filter(i -> i.opcode() == Opcode.CALL && i.asCall().isInlineAssembly())
                  .count();
            });

    assertThat(barriers).isZero();
  }

  @Test
  void shouldNotTakeTheBarrierForTheFenceThatWasThere() throws IOException {
    String program =
        """
        #include <sys/mman.h>
        int main(void) {
          long *pool = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
          pool[0] = 1;
          __asm__ volatile("clwb %0" : "+m"(pool[0]) : : "memory");
          __asm__ volatile("sfence" : : : "memory");
          pool[64] = 1;
          __asm__ volatile("clwb %0" : "+m"(pool[64]) : : "memory");
          __asm__ volatile("sfence" : : : "memory");
          return 0;
        }
        """;

    assertThat(inserted(program, false)).isEmpty();
    assertThat(inserted(program, true))
        .containsExactlyInAnyOrder("flush 4", "fence 7", "flush 7", "fence 10");
  }

  private List<String> inserted(String program, boolean strip) throws IOException {
    RobustnessPass pass =
        new RobustnessPass(
            Configuration.EMPTY,
            new FixOptions(FixMode.OPT, strip, true, FlushInstruction.CLWB),
            findings -> Set.of());
    return CompiledProgram.look(
        folder,
        program,
        (module, demangler) -> {
          pass.apply(module, demangler);
          return pass.result().orElseThrow().insertions().stream()
              .map(StrippingTest::kindAndLine)
              .toList();
        });
  }

  private static String kindAndLine(Insertion insertion) {
    return insertion.kind().label() + " " + insertion.site().innermost().line();
  }

  private static boolean loadsInLoop(BitcodeModule module, String function) {
    return module.function(function).orElseThrow().blocks().stream()
        .filter(b -> b.instructions().stream().anyMatch(i -> i.opcode() == Opcode.LOAD))
        .anyMatch(StrippingTest::isInLoop);
  }

  private static boolean isInLoop(Block block) {
    Set<Block> seen = new HashSet<>();
    Deque<Block> open = new ArrayDeque<>(block.successors());
    while (!open.isEmpty()) {
      Block next = open.pop();
      if (seen.add(next)) {
        open.addAll(next.successors());
      }
    }
    return seen.contains(block);
  }
}
