package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.ModuleCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A function that a test writes in assembler, in a library of its own. */
record AssembledFunction(ModuleCode module, Function function, SiteKind[] kinds) {

  /** Assembles it; a return follows the instructions. */
  static AssembledFunction of(Path folder, String... instructions) throws Exception {
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
    ModuleCode module = ModuleCode.read(ElfFile.read(folder.resolve("s.so")).orElseThrow());
    Function function = module.functions().get(0);
    Candidates candidates = new Candidates(function, List.of(), Loads.OBSERVED);
    SiteKind[] kinds =
        function.code().stream().map(i -> candidates.kind(i).orElse(null)).toArray(SiteKind[]::new);
    return new AssembledFunction(module, function, kinds);
  }
}
