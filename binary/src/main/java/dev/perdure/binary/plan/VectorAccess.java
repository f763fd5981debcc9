package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Access;
import dev.perdure.binary.decode.BitMask;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.decode.VectorRegisters;
import java.util.Optional;

/**
 * A gather or scatter, or a move of those elements of a vector that a mask selects. In AVX and AVX2
 * the topmost bit of a mask's element selects, in AVX-512 a bit of a mask register.
 *
 * @param index the register of indices, or -1: elements follow each other
 * @param mask the register of the mask
 * @param data the register that is stored, or -1
 * @param repeats how many bits of the mask select, each, one of the elements; 0: as many as there
 *     are elements
 */
record VectorAccess(
    int index, int mask, int data, int elementBytes, int elements, int indexBytes, int repeats) {
  private static final int XMM = 16;
  private static final int RDI = 7;
  private static final int NONTEMPORAL = 0x10;
  private static final int MASKS_BY_BITS = 0x20;
  private static final int SIDE_BY_SIDE = 0x40;
  private static final int REPEATED = 0x80;

  boolean stores() {
    return data >= 0;
  }

  boolean indexed() {
    return index >= 0;
  }

  /** The largest number of bits that the mask may have. */
  int maskBits() {
    return Math.max(elements, repeats);
  }

  /** Empty for forms that are not observed: those of MMX. */
  static Optional<VectorAccess> of(Instruction i) {
    VectorRegisters r = i.vector();
    if (r.length() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        switch (i.operation()) {
          case GATHER -> gather(i, r);
          case MASKED_STORE -> new VectorAccess(-1, r.second(), r.first(), 1, XMM, 0, 0);
          default -> r.masksByBits() ? maskedByBits(i, r) : masked(i, r);
        });
  }

  private static VectorAccess gather(Instruction i, VectorRegisters r) {
    int bytes = r.wide() ? 8 : 4;
    int index = (i.opcode() & 1) == 0 ? 4 : 8;
    int count = r.length() / Math.max(bytes, index);
    int mask = r.masksByBits() ? r.mask().register() : r.third();
    int data = i.access() == Access.STORE ? r.first() : -1;
    return new VectorAccess(r.index(), mask, data, bytes, count, index, 0);
  }

  /** vmaskmovps and vmaskmovpd have the size in the opcode, vpmaskmov in W. */
  private static VectorAccess masked(Instruction i, VectorRegisters r) {
    boolean integers = i.opcode() >= 0x8c;
    int bytes = (integers ? r.wide() : (i.opcode() & 1) != 0) ? 8 : 4;
    boolean store = integers ? i.opcode() == 0x8e : i.opcode() >= 0x2e;
    return new VectorAccess(-1, r.third(), store ? r.first() : -1, bytes, r.length() / bytes, 0, 0);
  }

  private static VectorAccess maskedByBits(Instruction i, VectorRegisters r) {
    BitMask m = r.mask();
    int data = i.access() == Access.STORE ? r.first() : -1;
    int repeats = m.bits() > m.elements() ? m.bits() : 0;
    return new VectorAccess(-1, m.register(), data, m.element(), m.elements(), 0, repeats);
  }

  /** The address of the first element, or that to which indices are added. */
  static MemoryOperand base(Instruction i) {
    return i.operation() == Operation.MASKED_STORE
        ? new MemoryOperand(RDI, MemoryOperand.NO_REGISTER, 1, 0, false, false, 0)
        : i.memory();
  }

  /**
   * For the gate, a byte each: bytes of an element, their number, bytes of an index or the bits of
   * a mask that is longer, the logarithm of the scale with flags.
   */
  int description(Instruction i) {
    int flags =
        (indexed() ? Integer.numberOfTrailingZeros(i.memory().scale()) : 0)
            | (i.operation() == Operation.MASKED_STORE ? NONTEMPORAL : 0)
            | (i.vector().masksByBits() ? MASKS_BY_BITS : 0)
            | (i.operation() == Operation.PACKED ? SIDE_BY_SIDE : 0)
            | (repeats > 0 ? REPEATED : 0);
    return elementBytes | elements << 8 | (indexed() ? indexBytes : repeats) << 16 | flags << 24;
  }
}
