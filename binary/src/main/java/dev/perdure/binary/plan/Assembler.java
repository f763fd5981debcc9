package dev.perdure.binary.plan;

import dev.perdure.binary.decode.MemoryOperand;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;

/**
 * Writes machine code whose place is not known yet. Distances to the module are written as if both
 * began at the same address, and listed, so that the runtime can add the difference.
 */
final class Assembler {
  private byte[] code = new byte[1 << 16];
  private int size;
  private final IntArrayList moduleFixups = new IntArrayList();
  private final IntArrayList siteFixups = new IntArrayList();
  private final IntArrayList jumpPlaces = new IntArrayList();
  private final LongArrayList jumpTargets = new LongArrayList();

  int position() {
    return size;
  }

  byte[] code() {
    return Arrays.copyOf(code, size);
  }

  IntArrayList moduleFixups() {
    return moduleFixups;
  }

  IntArrayList siteFixups() {
    return siteFixups;
  }

  void bytes(int... values) {
    for (int v : values) {
      if (size == code.length) {
        code = Arrays.copyOf(code, 2 * size);
      }
      code[size++] = (byte) v;
    }
  }

  void int32(long value) {
    bytes((int) value, (int) (value >> 8), (int) (value >> 16), (int) (value >> 24));
  }

  void copy(byte[] from, int at, int length) {
    for (int i = 0; i < length; i++) {
      bytes(from[at + i]);
    }
  }

  /** Overwrites a distance that was written before. */
  void setInt32(int at, long value) {
    for (int i = 0; i < 4; i++) {
      code[at + i] = (byte) (value >> 8 * i);
    }
  }

  /**
   * The four bytes at the place are the distance from its instruction's end to a module address.
   */
  void moduleDistance(int at, long target, int instructionEnd) {
    setInt32(at, target - instructionEnd);
    moduleFixups.add(at);
  }

  /** A distance, to be written here, to an address of the original code or its copy. */
  void distanceTo(long target) {
    jumpPlaces.add(size);
    jumpTargets.add(target);
    int32(0);
  }

  void jump(long target) {
    bytes(0xe9);
    distanceTo(target);
  }

  /** Goes to the original code, not to its copy. */
  void jumpToModule(long target) {
    bytes(0xe9);
    int32(0);
    moduleDistance(size - 4, target, size);
  }

  void jumpBack(int position) {
    bytes(0xe9);
    int32(position - (size + 4));
  }

  /** A conditional jump forward; returns the place to be filled in. */
  int branchForward(int condition) {
    bytes(0x0f, 0x80 | condition);
    int32(0);
    return size - 4;
  }

  /** A call forward; returns the place to be filled in. */
  int callForward() {
    bytes(0xe8);
    int32(0);
    return size - 4;
  }

  /** mov [rsp + distance], register */
  void storeRegister(int register, int distance) {
    bytes(0x48 | (register & 8) >> 1, 0x89, 0x44 | (register & 7) << 3, 0x24, distance);
  }

  void land(int place) {
    landAt(place, size);
  }

  void landAt(int place, int position) {
    setInt32(place, position - (place + 4));
  }

  /** Resolves the distances: to the copy where there is one, else to the module. */
  void resolve(CopiedCode copied) {
    for (int i = 0; i < jumpPlaces.size(); i++) {
      int place = jumpPlaces.getInt(i);
      long target = jumpTargets.getLong(i);
      int position = copied.position(target);
      if (position >= 0) {
        setInt32(place, position - (place + 4));
      } else {
        moduleDistance(place, target, place + 4);
      }
    }
  }

  void push(int register) {
    if (register >= 8) {
      bytes(0x41);
    }
    bytes(0x50 | register & 7);
  }

  void pop(int register) {
    if (register >= 8) {
      bytes(0x41);
    }
    bytes(0x58 | register & 7);
  }

  /** Moves the stack pointer without touching flags. */
  void moveStack(int by) {
    bytes(0x48, 0x8d, 0xa4, 0x24);
    int32(by);
  }

  /**
   * Stores a vector register at a distance from the stack pointer: all of its 32 bytes, or, where
   * the processor may not have more, 16.
   */
  void storeVector(int register, int distance, boolean vex) {
    int high = register >= 8 ? 1 : 0;
    if (vex) {
      bytes(0xc5, 0x7e | (1 - high) << 7, 0x7f); // vmovdqu [rsp + distance], ymm
    } else {
      bytes(0xf3, 0x40 | high << 2, 0x0f, 0x7f); // movdqu [rsp + distance], xmm
    }
    atStack(register, distance);
  }

  /** vmovdqu64 [rsp + distance], zmm */
  void storeLongVector(int register, int distance) {
    int high = (register & 8) == 0 ? 0x80 : 0;
    int highest = (register & 16) == 0 ? 0x10 : 0;
    bytes(0x62, high | 0x61 | highest, 0xfe, 0x48, 0x7f);
    atStack(register, distance);
  }

  /**
   * Stores a mask register at a distance from the stack pointer; where there are 16 bits at most,
   * the processor may not know more. Register 0 as a mask stands for all bits.
   */
  void storeMask(int register, int bits, int distance) {
    if (register == 0) {
      bytes(0x48, 0xc7); // mov qword [rsp + distance], -1
      atStack(0, distance);
      int32(-1);
    } else {
      if (bits > 16) {
        bytes(0xc4, 0xe1, 0xf8, 0x91); // kmovq
      } else {
        bytes(0xc5, 0xf8, 0x91); // kmovw
      }
      atStack(register, distance);
    }
  }

  /** The operands register and [rsp + distance] of an instruction. */
  void atStack(int register, int distance) {
    bytes(0x84 | (register & 7) << 3, 0x24);
    int32(distance);
  }

  void lea(int register, MemoryOperand m) {
    withMemory(0x8d, register, m);
  }

  /** jmp [m] */
  void jumpThrough(MemoryOperand m) {
    withMemory(0xff, 4, m);
  }

  private void withMemory(int opcode, int register, MemoryOperand m) {
    if (m.narrow()) {
      bytes(0x67);
    }
    int base = m.base();
    int index = m.index();
    boolean baseHigh = base >= 8 && base < MemoryOperand.RIP;
    bytes(0x48 | (register & 8) >> 1 | (index >= 8 ? 2 : 0) | (baseHigh ? 1 : 0), opcode);
    int reg = (register & 7) << 3;
    if (m.ripRelative()) {
      bytes(reg | 5);
      int32(0);
      moduleDistance(size - 4, m.displacement(), size);
    } else if (base < 0) {
      bytes(reg | 4, scaleBits(m) | (index < 0 ? 4 : index & 7) << 3 | 5);
      int32(m.displacement());
    } else if (index >= 0 || (base & 7) == 4) {
      bytes(0x80 | reg | 4, scaleBits(m) | (index < 0 ? 4 : index & 7) << 3 | base & 7);
      int32(m.displacement());
    } else {
      bytes(0x80 | reg | base & 7);
      int32(m.displacement());
    }
  }

  private static int scaleBits(MemoryOperand m) {
    return Integer.numberOfTrailingZeros(m.scale()) << 6;
  }

  /** mov to, from */
  void move(int to, int from) {
    bytes(0x48 | (from >= 8 ? 4 : 0) | (to >= 8 ? 1 : 0), 0x89, 0xc0 | (from & 7) << 3 | to & 7);
  }

  /** Fills up with instructions that do nothing. */
  void align(int to) {
    while (size % to != 0) {
      bytes(0x90);
    }
  }

  /** shr register, 20 */
  void shiftToBlock(int register) {
    shiftRight(register, Gate.BLOCK_SHIFT);
  }

  /** shr register, 3; movzx register, its lower 16 bits */
  void shiftToFilter(int register) {
    shiftRight(register, 3);
    int high = register >= 8 ? 5 : 0;
    bytes(0x40 | high, 0x0f, 0xb7, 0xc0 | (register & 7) << 3 | register & 7);
  }

  private void shiftRight(int register, int bits) {
    bytes(0x48 | (register >= 8 ? 1 : 0), 0xc1, 0xe8 | register & 7, bits);
  }

  /** cmp byte [register + table], 0 */
  void compareByte(int register, int table) {
    if (register >= 8) {
      bytes(0x41);
    }
    bytes(0x80, 0xb8 | register & 7);
    if ((register & 7) == 4) {
      bytes(0x24);
    }
    int32(table);
    bytes(0);
  }

  /** lahf; seto al */
  void saveFlags() {
    bytes(0x9f, 0x0f, 0x90, 0xc0);
  }

  /** add al, 127; sahf */
  void restoreFlags() {
    bytes(0x04, 0x7f, 0x9e);
  }

  /** Calls the runtime; what it must know follows as operands of instructions that do nothing. */
  void callGate(Gate gate, Site site, int description, long constant) {
    bytes(0xff, 0x14, 0x25);
    int32(gate.address());
    payload(site.number());
    siteFixups.add(size - 4);
    payload(description);
    payload(site.frame());
    if (gate.takesConstant()) {
      payload(constant);
    }
  }

  private void payload(long value) {
    bytes(0x0f, 0x1f, 0x80);
    int32(value);
  }
}
