package dev.perdure.binary.decode;

/**
 * An address: base + index * scale + displacement.
 *
 * @param base a general register (0 to 15), {@link #RIP} or {@link #NO_REGISTER}
 * @param index a general register or {@link #NO_REGISTER}; a vector register of a gather is not
 *     named
 * @param segment whether it is relative to fs or gs
 * @param narrow whether addresses are cut to 32 bits
 * @param displacementAt where in the instruction the displacement's bytes are
 */
public record MemoryOperand(
    int base,
    int index,
    int scale,
    long displacement,
    boolean segment,
    boolean narrow,
    int displacementAt) {
  public static final int NO_REGISTER = -1;
  public static final int RIP = 16;

  /** For instructions without one. */
  public static final MemoryOperand NONE =
      new MemoryOperand(NO_REGISTER, NO_REGISTER, 1, 0, false, false, 0);

  public boolean ripRelative() {
    return base == RIP;
  }

  /** The same place where the base register is so much less. */
  public MemoryOperand movedBy(int bytes) {
    return new MemoryOperand(
        base, index, scale, displacement + bytes, segment, narrow, displacementAt);
  }

  /** The general registers that the address is computed from, a bit each. */
  public int registers() {
    return (base >= 0 && base < RIP ? 1 << base : 0) | (index >= 0 ? 1 << index : 0);
  }
}
