package dev.perdure.binary.sum;

/** What else than sums addresses are computed with. Operators with one operand ignore the other. */
public enum Operator {
  AND,
  OR,
  XOR,
  PRODUCT,
  SHIFT_RIGHT,
  SHIFT_RIGHT_SIGNED,
  LOW_HALF,
  SIGNED_HALF,
  LOW_WORD,
  SIGNED_WORD,
  LOW_BYTE,
  SIGNED_BYTE;

  long of(long a, long b) {
    return switch (this) {
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case PRODUCT -> a * b;
      case SHIFT_RIGHT -> a >>> b;
      case SHIFT_RIGHT_SIGNED -> a >> b;
      case LOW_HALF -> a & 0xffffffffL;
      case SIGNED_HALF -> (int) a;
      case LOW_WORD -> a & 0xffff;
      case SIGNED_WORD -> (short) a;
      case LOW_BYTE -> a & 0xff;
      case SIGNED_BYTE -> (byte) a;
    };
  }
}
