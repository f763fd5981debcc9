package dev.perdure.binary.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Length and memory operand of every instruction, compared with LLVM's disassembler. */
class DecoderCrossCheckTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "libc.so.6",
        "libm.so.6",
        "libstdc++.so.6",
        "libpmemobj.so.1",
        "libpmem.so.1",
        "libpython3.11.so.1.0"
      })
  void shouldAgreeWithLlvm(String library) throws Exception {
    Path path = Path.of("/usr/lib/x86_64-linux-gnu", library);
    assumeTrue(Files.exists(path), library + " is not installed");
    ElfFile elf = ElfFile.read(path).orElseThrow();
    ElfSection text =
        elf.sections().stream().filter(s -> s.name().equals(".text")).findFirst().orElseThrow();
    Decoder decoder = new Decoder(elf.content(text).array(), text.address());
    List<String> differences = new ArrayList<>();
    int compared = 0;
    for (Disassembly.Line line : Disassembly.of(path)) {
      if (line.text().startsWith("<unknown>")) {
        continue;
      }
      compared++;
      String ours = ours(decoder.at(line.address()));
      String llvm = line.length() + " " + line.memory();
      if (!ours.equals(llvm) && differences.size() < 50000) {
        differences.add(
            Long.toHexString(line.address()) + ": " + ours + " | " + llvm + " | " + line.text());
      }
    }
    assertThat(differences).isEmpty();
    assertThat(compared).isGreaterThan(1000);
  }

  private static String ours(Optional<Instruction> instruction) {
    if (instruction.isEmpty()) {
      return "unknown";
    }
    Instruction i = instruction.get();
    MemoryOperand m = i.memory();
    boolean shown = i.hasMemory() && (m.base() >= 0 || m.index() >= 0);
    return i.length() + " " + (shown ? OperandText.of(m) : "");
  }
}
