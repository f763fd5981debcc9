package dev.perdure.binary.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which way an instruction accesses its memory operand, and how many bytes of it: every opcode with
 * every prefix and in every encoding, compared with LLVM's disassembler.
 */
class AccessCrossCheckTest {
  private static final int ROOM = 16;
  private static final int NOP = 0x90;
  private static final int REX_W = 8;
  private static final int[] PREFIXES = {0, 0x66, 0xf3, 0xf2};
  private static final Pattern OPERAND = Pattern.compile("(\\w+) ptr \\[r8 \\+ 3\\]");
  private static final Map<String, Integer> SIZES =
      Map.of(
          "byte", 1, "word", 2, "dword", 4, "qword", 8, "tbyte", 10, "xword", 10, "xmmword", 16,
          "ymmword", 32, "zmmword", 64);

  /** Instructions that load their first operand. */
  private static final Pattern FIRST_IS_LOADED =
      Pattern.compile(
          "(cmp|test|bt|div|idiv|mul|imul|push|call|jmp|v?ldmxcsr"
              + "|f(ld|ild|bld|add|iadd|sub|isub|subr|isubr|mul|imul|div|idiv|divr|idivr|com|icom|comp|icomp|ldcw)) .*");

  /** Those of operating systems, of other machines, hints, and what the table names as other. */
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "(nop|prefetch\\w*|cldemote|clflush|clflushopt|clwb|invlpg|ud[01]|vm\\w+|inv(ept|vpid|pcid)|wruss[dq]|rstorssp|clrssbsy"
              + "|ptwrite|[sl]msw|[sl]ldt|[sl]tr|str|ver[rw]|vpermil2p[sd]|vp(expand|compress)[bw]|v?(p?expand|p?compress)[pdq]?[sd]?"
              + ") .*");

  @TempDir private Path folder;

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private byte[] code;

  /** Where the same instruction stands without its prefix. */
  private final Map<Long, Long> plain = new HashMap<>();

  @Test
  void shouldAgreeWithLlvmOnAccesses() throws Exception {
    for (int form = 0; form < 256 * 8 * 2; form++) {
      int number = form & 0xff;
      int modRm = 0x40 | (form >> 8 & 7) << 3;
      int wide = form >> 11;
      legacy(wide, number, modRm);
      legacy(wide, 0x0f, number, modRm);
      legacy(wide, 0x0f, 0x38, number, modRm);
      legacy(wide, 0x0f, 0x3a, number, modRm);
      for (int prefix = 0; prefix < 4; prefix++) {
        for (int map = 1; map <= 3; map++) {
          for (int length = 0; length < 2; length++) {
            int last = wide << 7 | 0x78 | length << 2 | prefix;
            write(0xc4, 0xc0 | map, last, number, modRm, 3);
          }
        }
        for (int map : new int[] {1, 2, 3, 5, 6}) {
          for (int length = 0; length < 3; length++) {
            int middle = wide << 7 | 0x7c | prefix;
            write(0x62, 0xd0 | map, middle, length << 5 | 8, number, modRm, 3);
          }
        }
      }
    }
    code = output.toByteArray();
    List<String> differences = new ArrayList<>();
    int compared = 0;
    Decoder decoder = new Decoder(code, 0);
    Map<Long, String> texts = new HashMap<>();
    for (Disassembly.Line line : Disassembly.withSizes(object())) {
      texts.put(line.address(), line.text());
      Matcher operand = OPERAND.matcher(line.text());
      if (line.address() % ROOM == 0 && operand.find() && SIZES.containsKey(operand.group(1))) {
        if (excepted(line, texts)) {
          continue;
        }
        compared++;
        String llvm = llvm(line.text(), operand);
        String ours = decoder.at(line.address()).map(AccessCrossCheckTest::ours).orElse("unknown");
        if (!ours.equals(llvm)) {
          differences.add(ours + " | " + llvm + " | " + line.text() + " | " + bytes(line));
        }
      }
    }
    assertThat(differences).isEmpty();
    assertThat(compared).isGreaterThan(10000);
  }

  private void legacy(int wide, int... bytes) {
    long first = output.size();
    for (int prefix : PREFIXES) {
      plain.put((long) output.size(), first);
      if (prefix != 0) {
        output.write(prefix);
      }
      output.write(0x41 | wide << 3);
      for (int b : bytes) {
        output.write(b);
      }
      write(3);
    }
  }

  private void write(int... bytes) {
    for (int b : bytes) {
      output.write(b);
    }
    output.write(0);
    while (output.size() % ROOM != 0) {
      output.write(NOP);
    }
  }

  /**
   * Besides what is left out: prefixes that change nothing, or only the name. LLVM 14 lets prefixes
   * win against REX.W; the processor does not.
   */
  private boolean excepted(Disassembly.Line line, Map<Long, String> texts) {
    long first = plain.getOrDefault(line.address(), line.address());
    boolean prefixed = first != line.address();
    boolean wide = (code[(int) line.address() + 1] & REX_W) != 0;
    return LEFT_OUT.matcher(line.text()).matches()
        || prefixed && rest(line.text()).equals(rest(texts.get(first)))
        || prefixed && wide && !line.text().contains("xmm");
  }

  private static String rest(String text) {
    return text.replaceFirst("^(repn?e?|data16|xacquire|xrelease) ", "").strip();
  }

  private Path object() throws Exception {
    Files.write(folder.resolve("code.bin"), code);
    Files.writeString(folder.resolve("code.s"), ".incbin \"code.bin\"\n");
    Process process =
        new ProcessBuilder("gcc", "-c", "code.s", "-o", "code.o")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
    return folder.resolve("code.o");
  }

  private static String llvm(String text, Matcher operand) {
    boolean first = text.substring(0, operand.start()).matches("\\w+\\s+");
    boolean stores = first && !FIRST_IS_LOADED.matcher(text).matches();
    return (stores ? "stores " : "loads ") + SIZES.get(operand.group(1));
  }

  private static String ours(Instruction i) {
    return switch (i.access()) {
      case NONE -> "nothing";
      case LOAD -> "loads " + i.size();
      case STORE, UPDATE -> "stores " + i.size();
    };
  }

  private String bytes(Disassembly.Line line) {
    int from = (int) line.address();
    return HexFormat.ofDelimiter(" ").formatHex(code, from, from + line.length());
  }
}
