package dev.perdure.binary.region;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Executes disassembled instructions on sixteen registers, as far as addresses need it: what it
 * does not compute becomes a value that nobody can foresee. Nothing of it comes from the decoder.
 */
final class TextMachine {
  private static final List<List<String>> NAMES =
      List.of(
          List.of("rax", "eax", "ax", "al", "ah"),
          List.of("rcx", "ecx", "cx", "cl", "ch"),
          List.of("rdx", "edx", "dx", "dl", "dh"),
          List.of("rbx", "ebx", "bx", "bl", "bh"),
          List.of("rsp", "esp", "sp", "spl"),
          List.of("rbp", "ebp", "bp", "bpl"),
          List.of("rsi", "esi", "si", "sil"),
          List.of("rdi", "edi", "di", "dil"));
  private static final Pattern MEMORY =
      Pattern.compile("(-?0x[0-9a-f]+|-?\\d+)?\\((%\\w+)?(?:,\\s*(%\\w+)(?:,\\s*(\\d))?)?\\)");
  private static final Set<String> ONLY_COMPARE =
      Set.of("cmp", "test", "bt", "nop", "push", "ucom", "comi");
  private static final int RAX = 1;
  private static final int RCX = 2;
  private static final int RDX = 4;
  private static final int RBX = 8;
  private static final int RSP = 16;
  private static final int RBP = 32;
  private static final int RSI = 64;
  private static final int RDI = 128;
  private static final int CHANGED_BY_CALLS = 0x0fc7;

  private TextMachine() {}

  /** The number of a register, or -1. */
  static int register(String operand) {
    if (!operand.startsWith("%")) {
      return -1;
    }
    String name = operand.substring(1);
    for (int i = 0; i < NAMES.size(); i++) {
      if (NAMES.get(i).contains(name)) {
        return i;
      }
    }
    Matcher m = Pattern.compile("r(\\d+)[dwb]?").matcher(name);
    return m.matches() ? Integer.parseInt(m.group(1)) : -1;
  }

  private static int bytes(String register) {
    String name = register.substring(1);
    if (name.matches("r\\d+")) {
      return 8;
    }
    if (name.matches("r\\d+[dwb]")) {
      return name.endsWith("d") ? 4 : name.endsWith("w") ? 2 : 1;
    }
    int column = NAMES.get(register(register)).indexOf(name);
    return column == 0 ? 8 : column == 1 ? 4 : column == 2 ? 2 : 1;
  }

  /** The address of a memory operand. */
  static long address(TextLine line, String operand, long[] registers) {
    Matcher m = MEMORY.matcher(operand.replaceFirst("^\\*?(%[c-g]s:)?", ""));
    if (!m.matches()) {
      throw new IllegalArgumentException("no memory operand: " + operand);
    }
    long sum = m.group(1) == null ? 0 : Long.decode(m.group(1));
    if ("%rip".equals(m.group(2))) {
      return sum + line.end();
    }
    sum += m.group(2) == null ? 0 : registers[register(m.group(2))];
    boolean scaled = m.group(4) != null;
    return sum
        + (m.group(3) == null || m.group(3).endsWith("iz")
            ? 0
            : registers[register(m.group(3))] * (scaled ? Long.parseLong(m.group(4)) : 1));
  }

  /** The registers behind an instruction. */
  static long[] step(TextLine line, long[] before, long unforeseen) {
    long[] after = before.clone();
    for (int i = 0; i < 16; i++) {
      if ((implicit(line) & 1 << i) != 0) {
        after[i] = mix(unforeseen, i);
      }
    }
    if (line.mnemonic().startsWith("push") || line.mnemonic().startsWith("pop")) {
      after[4] = before[4] + (line.mnemonic().startsWith("push") ? -8 : 8);
    }
    boolean compares = ONLY_COMPARE.stream().anyMatch(line.mnemonic()::startsWith);
    if (compares || line.isJump() || line.isCall() || line.operands().isEmpty()) {
      return after;
    }
    String destination = line.operands().get(line.operands().size() - 1);
    int target = register(destination);
    if (line.mnemonic().matches("xchg.*|xadd.*|mulx.*")) {
      for (String operand : line.operands()) {
        if (register(operand) >= 0) {
          after[register(operand)] = mix(unforeseen, register(operand));
        }
      }
    } else if (target >= 0) {
      after[target] = result(line, destination, target, before, mix(unforeseen, target));
    }
    return after;
  }

  private static long mix(long a, long b) {
    return new java.util.SplittableRandom(a * 31 + b).nextLong();
  }

  /** Registers that an instruction changes without naming them. */
  private static int implicit(TextLine line) {
    String m = line.mnemonic();
    if (line.isCall()) {
      return CHANGED_BY_CALLS;
    }
    if (m.matches("(i?mul|i?div)[bwlq]") && line.operands().size() == 1
        || m.matches("cmpxchg(8|16)b|xgetbv|rdtscp?")) {
      return RAX | RDX | (m.equals("rdtscp") ? RCX : 0);
    }
    if (m.matches("cqto|cltd|cwtd")) {
      return RDX;
    }
    if (m.matches("cltq|cwtl|cbtw|cmpxchg.*|lahf")) {
      return RAX;
    }
    if (m.matches("(movs|stos|lods|scas|cmps)[bwlq]")
        && line.operands().stream()
            .allMatch(
                o ->
                    o.startsWith("(")
                        || o.startsWith("%es:")
                        || o.startsWith("%al")
                        || o.matches("%[er]?ax"))) {
      return (m.matches("(stos|scas).") ? 0 : RSI)
          | (m.startsWith("lods") ? RAX : RDI)
          | (line.prefix().contains("rep") ? RCX : 0);
    }
    if (m.equals("cpuid")) {
      return RAX | RBX | RCX | RDX;
    }
    if (m.equals("syscall")) {
      return RAX | RCX | 1 << 11;
    }
    if (m.startsWith("leave")) {
      return RSP | RBP;
    }
    return m.matches("v?pcmp[ei]stri|loop.*") ? RCX : 0;
  }

  private static long result(
      TextLine line, String destination, int target, long[] before, long unforeseen) {
    int bytes = bytes(destination);
    String m = line.mnemonic();
    if (bytes < 4) {
      return unforeseen;
    }
    if (m.matches("lea[lq]")) {
      return cut(address(line, line.operands().get(0), before), bytes);
    }
    if (line.hasMemory()) {
      return unforeseen;
    }
    long old = before[target];
    if (line.operands().size() == 1) {
      return switch (m.substring(0, m.length() - 1)) {
        case "inc" -> cut(old + 1, bytes);
        case "dec" -> cut(old - 1, bytes);
        case "neg" -> cut(-old, bytes);
        case "not" -> cut(~old, bytes);
        case "shl" -> cut(old << 1, bytes);
        case "shr" -> cut(cut(old, bytes) >>> 1, bytes);
        case "sar" -> cut((bytes == 4 ? (int) old : old) >> 1, bytes);
        default -> unforeseen;
      };
    }
    String first = line.operands().get(0);
    boolean constant = first.startsWith("$");
    if (!constant && register(first) < 0) {
      return unforeseen;
    }
    long value = constant ? number(first) : before[register(first)];
    if (line.operands().size() == 3) {
      int second = register(line.operands().get(1));
      return m.matches("imul[lq]") && second >= 0 ? cut(before[second] * value, bytes) : unforeseen;
    }
    if (m.matches("mov[sz][bwl][lq]")) {
      boolean upper = first.matches("%[abcd]h");
      return upper ? unforeseen : extended(m, value, bytes);
    }
    int mask = 8 * bytes - 1;
    return switch (m.substring(0, m.length() - 1)) {
      case "mov", "movabs" -> cut(value, bytes);
      case "add" -> cut(old + value, bytes);
      case "sub" -> cut(old - value, bytes);
      case "and" -> cut(old & value, bytes);
      case "or" -> cut(old | value, bytes);
      case "xor" -> cut(old ^ value, bytes);
      case "imul" -> cut(old * value, bytes);
      case "shl" -> constant ? cut(old << (value & mask), bytes) : unforeseen;
      case "shr" -> constant ? cut(cut(old, bytes) >>> (value & mask), bytes) : unforeseen;
      case "sar" ->
          constant ? cut((bytes == 4 ? (int) old : old) >> (value & mask), bytes) : unforeseen;
      default -> unforeseen;
    };
  }

  private static long extended(String mnemonic, long value, int bytes) {
    boolean signed = mnemonic.charAt(3) == 's';
    long wide =
        switch (mnemonic.charAt(4)) {
          case 'b' -> signed ? (byte) value : value & 0xff;
          case 'w' -> signed ? (short) value : value & 0xffff;
          default -> signed ? (int) value : value & 0xffffffffL;
        };
    return cut(wide, bytes);
  }

  private static long cut(long value, int bytes) {
    return bytes == 4 ? value & 0xffffffffL : value;
  }

  private static long number(String immediate) {
    String text = immediate.substring(1);
    return text.startsWith("-0x")
        ? -Long.parseUnsignedLong(text.substring(3), 16)
        : text.startsWith("0x")
            ? Long.parseUnsignedLong(text.substring(2), 16)
            : Long.parseLong(text);
  }
}
