package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.decode.VectorRegisters;
import java.util.Optional;

/**
 * A gather, or a move of those elements of a vector that a mask selects, as AVX and AVX2 have them.
 * The topmost bit of a mask's element selects.
 *
 * @param index the register of indices, or -1: elements follow each other
 * @param mask the register of the mask
 * @param data the register that is stored, or -1
 */
record VectorAccess(
    int index, int mask, int data, int elementBytes, int elements, int indexBytes, int scale) {
  private static final int XMM = 16;
  private static final int RDI = 7;
  private static final int NONTEMPORAL = 0x10;

  boolean stores() {
    return data >= 0;
  }

  /** Empty for forms that are not observed: AVX-512's, and those of MMX. */
  static Optional<VectorAccess> of(Instruction i) {
    VectorRegisters r = i.vector();
    if (r.masksByBits() || r.length() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        switch (i.operation()) {
          case GATHER -> gather(i, r);
          case MASKED_STORE -> new VectorAccess(-1, r.second(), r.first(), 1, XMM, 0, 1);
          default -> masked(i, r);
        });
  }

  private static VectorAccess gather(Instruction i, VectorRegisters r) {
    int data = r.wide() ? 8 : 4;
    int index = (i.opcode() & 1) == 0 ? 4 : 8;
    int count = r.length() / Math.max(data, index);
    return new VectorAccess(r.index(), r.third(), -1, data, count, index, i.memory().scale());
  }

  /** vmaskmovps and vmaskmovpd have the size in the opcode, vpmaskmov in W. */
  private static VectorAccess masked(Instruction i, VectorRegisters r) {
    boolean integers = i.opcode() >= 0x8c;
    int bytes = (integers ? r.wide() : (i.opcode() & 1) != 0) ? 8 : 4;
    boolean store = integers ? i.opcode() == 0x8e : i.opcode() >= 0x2e;
    return new VectorAccess(-1, r.third(), store ? r.first() : -1, bytes, r.length() / bytes, 0, 1);
  }

  /** The address of the first element, or that to which indices are added. */
  static MemoryOperand base(Instruction i) {
    return i.operation() == Operation.MASKED_STORE
        ? new MemoryOperand(RDI, MemoryOperand.NO_REGISTER, 1, 0, false, false, 0)
        : i.memory();
  }

  /** For the gate: sizes and numbers, a byte each; the scale's logarithm and whether it streams. */
  int description(Instruction i) {
    int flags =
        Integer.numberOfTrailingZeros(scale)
            | (i.operation() == Operation.MASKED_STORE ? NONTEMPORAL : 0);
    return elementBytes | elements << 8 | indexBytes << 16 | flags << 24;
  }
}
