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
  private static final int NOWHERE = -1;

  private final List<Statement> statements = new ArrayList<>();
  private final List<Integer> bytes = new ArrayList<>();
  private String text = "";
  private boolean intel;
  private boolean locked;
  private boolean data16;
  private boolean repeated;
  private int start = NOWHERE;
  private int endOfBytes;

  StatementReader(boolean intel) {
    this.intel = intel;
  }

  List<Statement> read(String source) {
    text = attVariant(source);
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == ';' || text.charAt(i) == '\n') {
        read1(from, i);
        from = i + 1;
      }
    }
    endBytes();
    return statements;
  }

  /** What was read, in the variant of the dialect: the places of statements are places in it. */
  String text() {
    return text;
  }

  private void read1(int from, int to) {
    String line = text.substring(from, to).replaceFirst("(#|//).*", "");
    String rest = line.trim();
    while (rest.matches("(?s)[\\w.$%={}]+:(?!:).*") && !rest.startsWith("%")) {
      rest = rest.substring(rest.indexOf(':', rest.startsWith("${") ? rest.indexOf('}') : 0) + 1);
      rest = rest.trim();
    }
    if (rest.isEmpty()) {
      return;
    }
    int begin = from + line.lastIndexOf(rest);
    int end = begin + rest.length();
    String[] parts = rest.split("\\s+", 2);
    String word = parts[0].toLowerCase(Locale.ROOT);
    String operands = parts.length > 1 ? parts[1] : "";
    if (word.equals(".byte")) {
      startAt(begin);
      endOfBytes = end;
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
    startAt(begin);
    if (word.equals("lock")) {
      locked = true;
    } else if (REPEATS.contains(word)) {
      repeated = true;
    } else if (DATA16.contains(word)) {
      data16 = true;
    } else {
      List<Operand> parsed = new ArrayList<>(new OperandSyntax(intel).parse(operands));
      if (intel) {
        Collections.reverse(parsed);
      }
      add(word, parsed, end);
      return;
    }
    read1(end - operands.length(), end);
  }

  private void startAt(int place) {
    if (start == NOWHERE) {
      start = place;
    }
  }

  private void add(String mnemonic, List<Operand> operands, int end) {
    statements.add(new Statement(locked, data16, repeated, mnemonic, operands, start, end));
    locked = false;
    data16 = false;
    repeated = false;
    start = NOWHERE;
  }

  /** Decodes what {@code .byte} has given: whole instructions, then prefixes of the next one. */
  private void endBytes() {
    int group = start;
    int i = 0;
    while (i < bytes.size()) {
      int b = bytes.get(i);
      start = group;
      if (b == 0x66) {
        data16 = true;
      } else if (b == 0xf0) {
        locked = true;
      } else if (b == 0xf2 || b == 0xf3) {
        repeated = true;
      } else {
        i +=
            EncodedInstruction.decode(
                bytes.subList(i, bytes.size()),
                (mnemonic, operands) -> add(mnemonic, operands, endOfBytes));
        continue;
      }
      i++;
    }
    if (!bytes.isEmpty() && !locked && !data16 && !repeated) {
      start = NOWHERE;
    }
    bytes.clear();
  }

  /** Of {@code $(att$|intel$)} the first, of the escapes the plain characters. */
  private String attVariant(String text) {
    int chosen = intel ? 1 : 0;
    StringBuilder result = new StringBuilder();
    int variant = -1;
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("$$", i)) {
        result.append(variant < 0 || variant == chosen ? "$$" : "");
        i++;
      } else if (text.startsWith("$(", i)) {
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
