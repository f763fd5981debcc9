package dev.perdure.binary.decode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file's code as LLVM's disassembler shows it. */
public final class Disassembly {
  /** One instruction: where, how long, and its text. */
  public record Line(long address, int length, String text) {
    private static final Pattern MEMORY =
        Pattern.compile(
            "(%[c-g]s:)?(-?0x[0-9a-f]+|-?\\d+)?\\((%\\w+)?(?:,\\s*(%\\w+)(?:,\\s*(\\d))?)?\\)");

    /** Base, index, scale, displacement of its memory operand, e.g. {@code rax,rcx*4,16}. */
    String memory() {
      Matcher m = MEMORY.matcher(text);
      if (text.contains("%es:(%rdi)") || !m.find()) {
        return "";
      }
      long displacement = m.group(2) == null ? 0 : Long.decode(m.group(2));
      String index = m.group(4) == null ? "none" : m.group(4).substring(1);
      boolean vector = index.matches("[xyz]mm\\d+") || index.matches("[er]iz");
      return (m.group(3) == null ? "none" : m.group(3).substring(1))
          + ","
          + (vector ? "none*1" : index + "*" + (m.group(5) == null ? "1" : m.group(5)))
          + ","
          + displacement;
    }
  }

  private static final Pattern LINE =
      Pattern.compile("\\s*([0-9a-f]+):\\s+((?:[0-9a-f]{2} )+)\\s*(.*)");

  private Disassembly() {}

  public static List<Line> of(Path file) throws IOException {
    return of(file, "att");
  }

  /** In the syntax of Intel, which names the size of a memory operand. */
  static List<Line> withSizes(Path file) throws IOException {
    return of(file, "intel");
  }

  private static List<Line> of(Path file, String syntax) throws IOException {
    Process process =
        new ProcessBuilder(
                "llvm-objdump",
                "-d",
                "--section=.text",
                "--mattr=+all",
                "--x86-asm-syntax=" + syntax,
                file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<Line> lines = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher m = LINE.matcher(line.replace('\t', ' '));
        if (m.matches()) {
          int length = m.group(2).strip().split(" ").length;
          Line before = lines.isEmpty() ? null : lines.get(lines.size() - 1);
          if (before != null && before.text().strip().equals("lock")) {
            // LLVM shows the prefix on a line of its own.
            lines.set(
                lines.size() - 1, new Line(before.address(), 1 + length, "lock " + m.group(3)));
          } else {
            lines.add(new Line(Long.parseLong(m.group(1), 16), length, m.group(3)));
          }
        }
      }
    }
    return lines;
  }
}
