package dev.perdure.binary.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every instruction of AVX-512 that has a memory operand and a mask, with each length of vectors
 * and with and without broadcast, compared with LLVM's disassembler.
 */
class EncodingCrossCheckTest {
  private static final int ROOM = 16;
  private static final int NOP = 0x90;
  private static final Pattern REGISTER = Pattern.compile("%[xyz]mm(\\d+)");
  private static final Pattern INDEX = Pattern.compile(",%[xyz]mm(\\d+)");
  private static final Pattern MASK = Pattern.compile("\\{%k(\\d)\\}");

  @TempDir private Path folder;

  private final ByteArrayOutputStream code = new ByteArrayOutputStream();

  @Test
  void shouldAgreeWithLlvmOnMaskedAccesses() throws Exception {
    for (int map : new int[] {1, 2, 3, 5, 6}) {
      for (int number = 0; number < 256; number++) {
        for (int form = 0; form < 4 * 2 * 3 * 2; form++) {
          masked(map, number, form % 4, form / 4 % 2, form / 8 % 3, form / 24);
        }
      }
    }
    List<String> differences = new ArrayList<>();
    int compared = 0;
    Decoder decoder = new Decoder(code.toByteArray(), 0);
    for (Disassembly.Line line : Disassembly.of(object())) {
      if (line.address() % ROOM == 0 && line.text().contains("{%k3}") && !excepted(line)) {
        compared++;
        String llvm = llvm(line);
        String ours =
            decoder.at(line.address()).map(EncodingCrossCheckTest::ours).orElse("unknown");
        if (!ours.equals(llvm)) {
          differences.add(ours + " | " + llvm + " | " + line.text());
        }
      }
    }
    assertThat(differences).isEmpty();
    assertThat(compared).isGreaterThan(2500);
  }

  /** Register 17, mask 3, and r8 + 4 * (r12 or vector 28) + 3 * (what a short distance counts). */
  private void masked(int map, int number, int prefix, int wide, int length, int broadcast) {
    for (int b :
        new int[] {
          0x62,
          0x80 | map,
          wide << 7 | 15 << 3 | 4 | prefix,
          length << 5 | broadcast << 4 | (gathers(map, number) ? 0 : 8) | 3,
          number,
          0x40 | 1 << 3 | 4,
          2 << 6 | 4 << 3,
          3,
          0
        }) {
      code.write(b);
    }
    while (code.size() % ROOM != 0) {
      code.write(NOP);
    }
  }

  /**
   * Hints that only a family of processors had which is no longer made; and a broadcast whose short
   * distance LLVM 14 counts in bytes, the processor in words of eight.
   */
  private static boolean excepted(Disassembly.Line line) {
    return line.text().matches("v(gather|scatter)pf.*|vgf2p8affine(inv)?qb .*\\{1to.*");
  }

  private static boolean gathers(int map, int number) {
    return map == 2 && (number >= 0x90 && number <= 0x93 || number >= 0xa0 && number <= 0xa3);
  }

  private Path object() throws Exception {
    Files.write(folder.resolve("code.bin"), code.toByteArray());
    Files.writeString(folder.resolve("code.s"), ".incbin \"code.bin\"\n");
    Process process =
        new ProcessBuilder("gcc", "-c", "code.s", "-o", "code.o")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
    return folder.resolve("code.o");
  }

  private static String llvm(Disassembly.Line line) {
    String text = line.text().replaceAll(" *#.*", "");
    boolean stores = text.replaceAll("\\s*\\{%k3\\}.*", "").endsWith(")");
    return line.length()
        + " "
        + line.memory()
        + (stores ? " stores " + number(REGISTER, text) : " loads")
        + number(INDEX, text)
        + number(MASK, text);
  }

  private static String ours(Instruction i) {
    boolean stores = i.access() == Access.STORE;
    boolean gathers = i.operation() == Operation.GATHER;
    boolean whole = !i.vector().masksByBits() && i.operation() != Operation.OTHER;
    return i.length()
        + " "
        + OperandText.of(i.memory())
        + (stores ? " stores " + i.vector().first() : " loads")
        + (gathers ? i.vector().index() : "")
        + (whole ? 3 : i.vector().mask().register());
  }

  private static String number(Pattern pattern, String text) {
    Matcher m = pattern.matcher(text);
    return m.find() ? m.group(1) : "";
  }
}
