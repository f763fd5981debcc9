package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import java.util.Set;

/** Copies instructions to another place, so that they mean the same there. */
final class InstructionCopy {
  private static final int SHORT_JUMP = 2;
  private static final int LONG_JUMP = 5;
  private static final int RAX = 0;
  private static final int EVEX = 0x62;

  private final Assembler out;
  private final byte[] text;
  private final long textAddress;
  private final Set<Long> callsHere;

  /**
   * @param text the bytes of the section that the instructions are in
   * @param callsHere addresses of calls that are made from the copy: direct ones, or through memory
   */
  InstructionCopy(Assembler out, byte[] text, long textAddress, Set<Long> callsHere) {
    this.out = out;
    this.text = text;
    this.textAddress = textAddress;
    this.callsHere = callsHere;
  }

  void write(Instruction i) {
    switch (i.operation()) {
      case BRANCH -> {
        out.bytes(0x0f, 0x80 | i.opcode() & 15);
        out.distanceTo(i.target());
      }
      case TRANSACTION -> {
        out.bytes(0xc7, 0xf8);
        out.distanceTo(i.target());
      }
      case JUMP -> out.jump(i.target());
      case CALL, INDIRECT_CALL -> {
        if (callsHere.contains(i.address())) {
          callFromHere(i);
        } else {
          out.jumpToModule(i.address());
        }
      }
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

  /** Leaves the return address of the original call on the stack, and jumps instead of calling. */
  private void callFromHere(Instruction i) {
    out.bytes(0x48, 0x8d, 0x64, 0x24, 0xf8); // lea rsp, [rsp - 8]
    out.push(RAX);
    out.bytes(0x48, 0x8d, 0x05); // lea rax, [rip + ...]
    out.int32(0);
    out.moduleDistance(out.position() - 4, i.end(), out.position());
    out.bytes(0x48, 0x89, 0x44, 0x24, 0x08); // mov [rsp + 8], rax
    out.pop(RAX);
    if (i.operation() == Operation.CALL) {
      out.jump(i.target());
    } else {
      out.jumpThrough(i.memory());
    }
  }

  /**
   * Writes a store of AVX-512 that goes to the stack instead; one that wants an aligned place
   * becomes one that does not.
   */
  void writeToStack(Instruction i, int distance) {
    int prefix = Math.toIntExact(i.address() - textAddress);
    while (text[prefix] != EVEX) {
      prefix++;
    }
    int opcode = text[prefix + 4] & 0xff;
    boolean alignedIntegers = opcode == 0x7f && (text[prefix + 2] & 3) == 1;
    boolean alignedNumbers = opcode == 0x29;
    out.bytes(
        EVEX,
        text[prefix + 1] | 0x60,
        alignedIntegers ? text[prefix + 2] ^ 3 : text[prefix + 2],
        text[prefix + 3],
        alignedNumbers ? 0x11 : opcode);
    out.atStack(text[prefix + 5] >> 3, distance);
    if (i.immediateAt() > 0) {
      out.bytes((int) i.immediate());
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
