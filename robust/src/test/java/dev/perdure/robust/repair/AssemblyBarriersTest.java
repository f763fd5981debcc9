package dev.perdure.robust.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssemblyBarriersTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"asm(\"nop\")", "__asm__ volatile(\"pause\" ::)"})
  void shouldPutABarrierBeforeAssemblyWithoutOperands(String assembly) throws IOException {
    assertThat(barriers(assembly)).isEqualTo(1);
  }

  @Test
  void shouldLeaveAssemblyAloneThatSaysWhatItTouches() throws IOException {
    assertThat(barriers("__asm__ volatile(\"incl %0\" : \"+m\"(ready))")).isZero();
  }

  /** How many empty barriers are in the loop, besides the assembly. */
  private long barriers(String assembly) throws IOException {
    String program = "int ready; void await(void) { while (!ready) %s; }".formatted(assembly);
    return CompiledProgram.look(
        folder,
        program,
        (module, demangler) -> {
          AssemblyBarriers.add(module);
          module.verify();
          List<Call> calls =
              module.function("await").orElseThrow().blocks().stream()
                  .flatMap(block -> block.instructions().stream())
                  .filter(instruction -> instruction.opcode() == Opcode.CALL)
                  .map(Instruction::asCall)
                  .filter(Call::isInlineAssembly)
                  .toList();
          return calls.stream()
              .filter(c -> c.clobbersMemory() && c.assemblyText().isEmpty())
              .count();
        });
  }
}
