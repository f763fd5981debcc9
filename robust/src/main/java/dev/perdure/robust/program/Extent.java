package dev.perdure.robust.program;

/**
 * How many bytes an operation covers: a constant, a variable times a number, or a string up to and
 * including its end.
 *
 * @param bytes the constant, or what the variable is multiplied by
 * @param variable the value that holds the length, or {@link Values#NONE}
 * @param oneLine whether the bytes certainly lie in one cache line
 */
public record Extent(long bytes, int variable, boolean oneLine) {
  private static final int TEXT = -2;

  /** A string: as long as it is when the operation is done. */
  public static final Extent STRING = new Extent(0, TEXT, false);

  /** A constant number of bytes, anywhere. */
  public static Extent of(long bytes) {
    return new Extent(bytes, Values.NONE, bytes <= 1);
  }

  /** An access of a size and with an alignment of its own. */
  public static Extent of(long bytes, int alignment) {
    return new Extent(bytes, Values.NONE, bytes <= Math.min(alignment, 64));
  }

  /** As many elements as a variable says. */
  public static Extent held(int variable, long bytes) {
    return new Extent(bytes, variable, false);
  }

  public boolean isConstant() {
    return variable == Values.NONE;
  }

  public boolean isString() {
    return variable == TEXT;
  }
}
