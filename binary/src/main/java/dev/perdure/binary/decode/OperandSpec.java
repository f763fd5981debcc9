package dev.perdure.binary.decode;

/**
 * An operand as the table writes it.
 *
 * @param place E G M Z H V W I J O
 * @param size the letter or number behind it
 */
record OperandSpec(char place, String size, boolean read, boolean written) {
  static OperandSpec parse(String text) {
    char last = text.charAt(text.length() - 1);
    boolean marked = last == '=' || last == '+';
    return new OperandSpec(
        text.charAt(0),
        text.substring(1, marked ? text.length() - 1 : text.length()),
        last != '=',
        marked);
  }

  boolean memoryPossible() {
    return place == 'E' || place == 'M' || place == 'W' || place == 'O';
  }

  Access access() {
    if (size.equals("0")) {
      return Access.NONE;
    }
    return written ? (read ? Access.UPDATE : Access.STORE) : Access.LOAD;
  }

  /** Bytes of a general operand or immediate. */
  int bytes(int operandSize, boolean wide) {
    return switch (size) {
      case "b" -> 1;
      case "w" -> 2;
      case "d" -> 4;
      case "q" -> 8;
      case "v" -> operandSize;
      case "y" -> wide ? 8 : 4;
      case "z" -> Math.min(operandSize, 4);
      case "s" -> wide ? 8 : 4;
      default -> Integer.parseInt(size);
    };
  }

  /** Bytes of a vector operand in memory. */
  int vectorBytes(int vectorLength, boolean wide) {
    return switch (size) {
      case "x" -> vectorLength;
      case "h" -> vectorLength / 2;
      case "r" -> vectorLength / 4;
      case "e" -> vectorLength / 8;
      case "m" -> vectorLength == 16 ? 8 : vectorLength;
      case "s" -> wide ? 8 : 4;
      default -> size.isEmpty() ? 0 : Integer.parseInt(size);
    };
  }
}
