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
  private static final String[] REGISTERS = {
    "ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "8", "9", "10", "11", "12", "13", "14", "15",
    "ip"
  };

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
    return i.length() + " " + (shown ? text(m) : "");
  }

  private static String text(MemoryOperand m) {
    return name(m.base(), m.narrow())
        + ","
        + (m.index() < 0 ? "none*1" : name(m.index(), m.narrow()) + "*" + m.scale())
        + ","
        + m.displacement();
  }

  private static String name(int register, boolean narrow) {
    if (register < 0) {
      return "none";
    }
    String name = REGISTERS[register];
    boolean numbered = Character.isDigit(name.charAt(0));
    return numbered ? "r" + name + (narrow ? "d" : "") : (narrow ? "e" : "r") + name;
  }
}
