package dev.perdure.llvm.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads operands in AT&amp;T or Intel syntax. */
record OperandSyntax(boolean intel) {
  private static final Pattern NUMBERED = Pattern.compile("\\$(\\d+)|\\$\\{(\\d+)(?::(\\w))?\\}");
  private static final Pattern OFFSET_OF_NUMBERED =
      Pattern.compile("([-+]?(?:0[xX][0-9a-fA-F]+|\\d+))\\s*\\+?\\s*(\\$.+)");
  private static final Pattern NUMBER = Pattern.compile("[-+]?(0[xX][0-9a-fA-F]+|\\d+)");
  private static final Pattern ATT_MEMORY =
      Pattern.compile("(?:%[defgs]s:)?([^()%]*)\\(([^,)]*)(?:,([^,)]*))?(?:,\\s*(\\d))?\\s*\\)");
  private static final Pattern INTEL_MEMORY = Pattern.compile("(.*?)\\[(.*)\\]");

  /** Splits at commas that are not inside parentheses or brackets. */
  List<Operand> parse(String operands) {
    List<Operand> result = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= operands.length(); i++) {
      char c = i == operands.length() ? ',' : operands.charAt(i);
      if (c == '(' || c == '[' || c == '{') {
        depth++;
      } else if (c == ')' || c == ']' || c == '}') {
        depth--;
      } else if (c == ',' && (depth == 0 || i == operands.length())) {
        String text = operands.substring(start, i).trim();
        if (!text.isEmpty()) {
          result.add(one(text));
        }
        start = i + 1;
      }
    }
    return result;
  }

  private Operand one(String text) {
    Matcher numbered = NUMBERED.matcher(text);
    if (numbered.matches()) {
      return numbered(numbered);
    }
    if (text.startsWith("%")) {
      return text.contains(":") || text.contains("(") ? memory(text) : register(text);
    }
    if (text.startsWith("$$")) {
      return immediate(text.substring(2));
    }
    if (intel && NUMBER.matcher(text).matches()) {
      return immediate(text);
    }
    return text.contains("(") || text.contains("[") ? memory(text) : word(text);
  }

  private Operand word(String text) {
    int ptr = text.toLowerCase(Locale.ROOT).indexOf(" ptr ");
    if (intel && ptr > 0) {
      Operand operand = one(text.substring(ptr + 5).trim());
      int size = intelSize(text.substring(0, ptr));
      return operand instanceof Operand.Numbered n
          ? new Operand.Numbered(n.number(), size)
          : operand;
    }
    Matcher offset = OFFSET_OF_NUMBERED.matcher(text);
    if (offset.matches() && one(offset.group(2)) instanceof Operand.Numbered base) {
      long displacement = number(offset.group(1));
      String att = intel ? "" : text;
      return new Operand.Memory(base, Operand.UNKNOWN, 0, displacement, base.size(), att);
    }
    return intel && text.matches("[a-z]\\w+") ? register(text) : Operand.UNKNOWN;
  }

  private Operand memory(String text) {
    return intel ? intelMemory(text) : attMemory(text);
  }

  private Operand attMemory(String text) {
    Matcher m = ATT_MEMORY.matcher(text);
    if (!m.matches()) {
      return new Operand.Memory(Operand.UNKNOWN, Operand.UNKNOWN, 0, 0, 0, text);
    }
    String displacement = m.group(1).trim();
    boolean known = displacement.isEmpty() || NUMBER.matcher(displacement).matches();
    String base = m.group(2).trim();
    boolean indexed = m.group(3) != null && !m.group(3).isBlank();
    if (!known || base.isEmpty()) {
      return new Operand.Memory(Operand.UNKNOWN, Operand.UNKNOWN, 0, 0, 0, text);
    }
    return new Operand.Memory(
        one(base),
        indexed ? one(m.group(3).trim()) : Operand.UNKNOWN,
        !indexed ? 0 : m.group(4) == null ? 1 : Integer.parseInt(m.group(4)),
        displacement.isEmpty() ? 0 : number(displacement),
        0,
        text);
  }

  private Operand intelMemory(String text) {
    Matcher m = INTEL_MEMORY.matcher(text);
    if (!m.matches()) {
      return Operand.UNKNOWN_MEMORY;
    }
    Operand base = Operand.UNKNOWN;
    Operand index = Operand.UNKNOWN;
    int scale = 0;
    long displacement = 0;
    for (String term : m.group(2).replace("-", "+-").split("\\+")) {
      String t = term.trim();
      if (NUMBER.matcher(t).matches()) {
        displacement += number(t);
      } else if (t.contains("*")) {
        index = one(t.substring(0, t.indexOf('*')).trim());
        scale = (int) number(t.substring(t.indexOf('*') + 1).trim());
      } else if (!t.isEmpty() && base == Operand.UNKNOWN) {
        base = one(t);
      } else if (!t.isEmpty()) {
        index = one(t);
        scale = 1;
      }
    }
    return new Operand.Memory(base, index, scale, displacement, intelSize(m.group(1)), "");
  }

  private static int intelSize(String prefix) {
    String word = prefix.toLowerCase(Locale.ROOT).replace("ptr", "").trim();
    return switch (word) {
      case "byte" -> 1;
      case "word" -> 2;
      case "dword" -> 4;
      case "qword" -> 8;
      case "xmmword", "oword" -> 16;
      case "ymmword" -> 32;
      case "zmmword" -> 64;
      default -> 0;
    };
  }

  private static Operand numbered(Matcher m) {
    if (m.group(1) != null) {
      return new Operand.Numbered(Integer.parseInt(m.group(1)), 0);
    }
    String modifier = m.group(3) == null ? "" : m.group(3);
    if (modifier.equals("a")) {
      Operand base = new Operand.Numbered(Integer.parseInt(m.group(2)), 0);
      return new Operand.Memory(base, Operand.UNKNOWN, 0, 0, 0, m.group());
    }
    int size =
        switch (modifier) {
          case "b", "h" -> 1;
          case "w" -> 2;
          case "k" -> 4;
          case "q" -> 8;
          default -> 0;
        };
    return new Operand.Numbered(Integer.parseInt(m.group(2)), size);
  }

  private static Operand register(String text) {
    return new Operand.Register(text.replace("%", "").toLowerCase(Locale.ROOT));
  }

  private static Operand immediate(String text) {
    return NUMBER.matcher(text).matches() ? new Operand.Immediate(number(text)) : Operand.UNKNOWN;
  }

  static long number(String text) {
    String digits = text.startsWith("+") ? text.substring(1) : text;
    return digits.matches("-?0\\d+") ? Long.parseLong(digits, 8) : parse64(digits);
  }

  private static long parse64(String digits) {
    boolean negative = digits.startsWith("-");
    String magnitude = negative ? digits.substring(1) : digits;
    long value =
        magnitude.toLowerCase(Locale.ROOT).startsWith("0x")
            ? Long.parseUnsignedLong(magnitude.substring(2), 16)
            : Long.parseUnsignedLong(magnitude);
    return negative ? -value : value;
  }
}
