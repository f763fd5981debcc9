package dev.perdure.llvm.assembly;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Cuts the text of an asm statement into machine instructions. */
final class StatementReader {
  private static final Set<String> REPEATS =
      Set.of("rep", "repe", "repz", "repne", "repnz", "xacquire", "xrelease");
  private static final Set<String> DATA16 = Set.of("data16", "data32", "osize");

  private final List<Statement> statements = new ArrayList<>();
  private final List<Integer> bytes = new ArrayList<>();
  private boolean intel;
  private boolean locked;
  private boolean data16;
  private boolean repeated;

  StatementReader(boolean intel) {
    this.intel = intel;
  }

  List<Statement> read(String text) {
    for (String line : attVariant(text).split("[;\\n]")) {
      read1(line);
    }
    endBytes();
    return statements;
  }

  private void read1(String line) {
    String rest = line.replaceFirst("(#|//).*", "").trim();
    while (rest.matches("(?s)[\\w.$%={}]+:(?!:).*") && !rest.startsWith("%")) {
      rest = rest.substring(rest.indexOf(':', rest.startsWith("${") ? rest.indexOf('}') : 0) + 1);
      rest = rest.trim();
    }
    if (rest.isEmpty()) {
      return;
    }
    String[] parts = rest.split("\\s+", 2);
    String word = parts[0].toLowerCase(Locale.ROOT);
    String operands = parts.length > 1 ? parts[1] : "";
    if (word.equals(".byte")) {
      for (String b : operands.split(",")) {
        bytes.add((int) OperandSyntax.number(b.trim()) & 0xff);
      }
      return;
    }
    if (word.startsWith(".")) {
      intel = word.equals(".intel_syntax") || intel && !word.equals(".att_syntax");
      return;
    }
    endBytes();
    if (word.equals("lock")) {
      locked = true;
      read1(operands);
    } else if (REPEATS.contains(word)) {
      repeated = true;
      read1(operands);
    } else if (DATA16.contains(word)) {
      data16 = true;
      read1(operands);
    } else {
      List<Operand> parsed = new ArrayList<>(new OperandSyntax(intel).parse(operands));
      if (intel) {
        Collections.reverse(parsed);
      }
      add(word, parsed);
    }
  }

  private void add(String mnemonic, List<Operand> operands) {
    statements.add(new Statement(locked, data16, repeated, mnemonic, operands));
    locked = false;
    data16 = false;
    repeated = false;
  }

  /** Decodes what {@code .byte} has given: whole instructions, then prefixes of the next one. */
  private void endBytes() {
    int i = 0;
    while (i < bytes.size()) {
      int b = bytes.get(i);
      if (b == 0x66) {
        data16 = true;
      } else if (b == 0xf0) {
        locked = true;
      } else if (b == 0xf2 || b == 0xf3) {
        repeated = true;
      } else {
        i += EncodedInstruction.decode(bytes.subList(i, bytes.size()), this::add);
        continue;
      }
      i++;
    }
    bytes.clear();
  }

  /** Of {@code $(att$|intel$)} the first, of the escapes the plain characters. */
  private String attVariant(String text) {
    int chosen = intel ? 1 : 0;
    StringBuilder result = new StringBuilder();
    int variant = -1;
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("$(", i)) {
        variant = 0;
        i++;
      } else if (variant >= 0 && text.startsWith("$|", i)) {
        variant++;
        i++;
      } else if (variant >= 0 && text.startsWith("$)", i)) {
        variant = -1;
        i++;
      } else if (variant < 0 || variant == chosen) {
        result.append(text.charAt(i));
      }
    }
    return result.toString();
  }
}
