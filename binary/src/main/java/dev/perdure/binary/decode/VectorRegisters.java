package dev.perdure.binary.decode;

/**
 * The vector registers that an instruction names.
 *
 * @param first that of the reg field
 * @param second that of the r/m field, where it is a register
 * @param third that of VEX.vvvv
 * @param index that which holds the indices of a gather
 * @param length bytes of a vector; 0 where there are none
 * @param wide whether W is set
 * @param vex whether the instruction is encoded with VEX or EVEX
 * @param mask what selects elements, in instructions of AVX-512
 */
public record VectorRegisters(
    int first,
    int second,
    int third,
    int index,
    int length,
    boolean wide,
    boolean vex,
    BitMask mask) {
  public static final VectorRegisters NONE =
      new VectorRegisters(0, 0, 0, 0, 0, false, false, BitMask.NONE);

  /** Whether it is one of AVX-512, where a mask has a bit for each element. */
  public boolean masksByBits() {
    return mask.bits() > 0;
  }
}
