package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfSection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which instructions are observed, on functions written in assembler. */
class CandidatesTest {
  @TempDir Path folder;

  @Test
  void shouldObserveVariablesOfAnySizeAndNoConstants() throws Exception {
    AssembledFunction f =
        AssembledFunction.of(
            folder,
            "movaps %xmm0, variable(%rip)",
            "movq $1, variable(%rip)",
            "movaps constant(%rip), %xmm0",
            "ret",
            ".bss",
            ".balign 16",
            "variable: .zero 16",
            ".section .rodata",
            ".balign 16",
            "constant: .zero 16",
            ".text");
    List<ElfSection> variables =
        f.module().sections().stream().filter(s -> s.name().equals(".bss")).toList();

    Candidates candidates = new Candidates(f.function(), variables, Loads.OBSERVED);

    assertThat(f.function().code().stream().limit(3).map(candidates::kind))
        .containsExactly(
            Optional.of(SiteKind.STORE_AROUND), Optional.of(SiteKind.STORE), Optional.empty());
  }
}
