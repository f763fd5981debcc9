package dev.perdure.binary.region;

import dev.perdure.binary.decode.Disassembly;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An instruction as LLVM's disassembler writes it, taken apart. */
record TextLine(long address, int length, String prefix, String mnemonic, List<String> operands) {
  private static final Pattern TARGET = Pattern.compile("0x([0-9a-f]+)(?: <.*)?");

  static TextLine of(Disassembly.Line line) {
    String text = line.text().strip();
    int comment = text.indexOf('#');
    text = comment < 0 ? text : text.substring(0, comment).strip();
    StringBuilder prefix = new StringBuilder();
    Matcher m =
        Pattern.compile("(lock|rep|repe|repne|repz|repnz|notrack|data16)\\s+(.*)").matcher(text);
    while (m.matches()) {
      prefix.append(m.group(1)).append(' ');
      text = m.group(2);
      m.reset(text);
    }
    int space = text.indexOf(' ');
    String mnemonic = space < 0 ? text : text.substring(0, space);
    return new TextLine(
        line.address(),
        line.length(),
        prefix.toString(),
        mnemonic,
        space < 0 ? List.of() : split(text.substring(space + 1).strip()));
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(from, i).strip());
        from = i + 1;
      }
    }
    parts.add(text.substring(from).strip());
    return parts;
  }

  long end() {
    return address + length;
  }

  boolean isCall() {
    return mnemonic.startsWith("call");
  }

  boolean isJump() {
    return mnemonic.startsWith("j") || mnemonic.startsWith("loop");
  }

  boolean isConditional() {
    return isJump() && !mnemonic.startsWith("jmp");
  }

  boolean isReturn() {
    return mnemonic.startsWith("ret");
  }

  boolean stops() {
    return mnemonic.equals("ud2") || mnemonic.equals("hlt") || mnemonic.equals("int3");
  }

  /** Where a direct call or jump goes. */
  OptionalLong target() {
    Matcher m = TARGET.matcher(operands.isEmpty() ? "" : operands.get(0));
    return m.matches() ? OptionalLong.of(Long.parseLong(m.group(1), 16)) : OptionalLong.empty();
  }

  boolean hasMemory() {
    return operands.stream().anyMatch(o -> o.contains("("));
  }

  /** Whether it synchronises with other threads by itself. */
  boolean isLocked() {
    return prefix.contains("lock")
        || mnemonic.startsWith("xchg") && hasMemory()
        || mnemonic.equals("mfence")
        || mnemonic.equals("syscall");
  }
}
