package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;

/** Copies instructions to another place, so that they mean the same there. */
final class InstructionCopy {
  private static final int SHORT_JUMP = 2;
  private static final int LONG_JUMP = 5;

  private final Assembler out;
  private final byte[] text;
  private final long textAddress;

  /**
   * @param text the bytes of the section that the instructions are in
   */
  InstructionCopy(Assembler out, byte[] text, long textAddress) {
    this.out = out;
    this.text = text;
    this.textAddress = textAddress;
  }

  void write(Instruction i) {
    switch (i.operation()) {
      case BRANCH -> {
        out.bytes(0x0f, 0x80 | i.opcode() & 15);
        out.distanceTo(i.target());
      }
      case JUMP -> out.jump(i.target());
      case CALL, INDIRECT_CALL -> out.jumpToModule(i.address());
      case LOOP -> {
        raw(i, i.length() - 1);
        out.bytes(SHORT_JUMP, 0xeb, LONG_JUMP);
        out.jump(i.target());
      }
      default -> {
        int start = out.position();
        raw(i, i.length());
        if (i.hasMemory() && i.memory().ripRelative()) {
          out.moduleDistance(start + i.memory().displacementAt(), i.ripTarget(), out.position());
        }
      }
    }
  }

  private void raw(Instruction i, int length) {
    out.copy(text, Math.toIntExact(i.address() - textAddress), length);
  }

  /** The operand of a rip-relative instruction with its module address as displacement. */
  MemoryOperand absolute(Instruction i) {
    MemoryOperand m = i.memory();
    return new MemoryOperand(
        m.base(), m.index(), m.scale(), i.ripTarget(), m.segment(), m.narrow(), 0);
  }
}
