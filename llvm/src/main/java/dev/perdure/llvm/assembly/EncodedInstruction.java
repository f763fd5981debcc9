package dev.perdure.llvm.assembly;

import java.util.List;
import java.util.function.BiConsumer;

/** Instructions of the group 0F AE that are written as bytes: flushes and fences. */
final class EncodedInstruction {
  private static final String[] REGISTERS = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
  };
  private static final int SCALED = 4;
  private static final int NO_INDEX = 4;
  private static final int NO_BASE = 5;

  private final List<Integer> bytes;
  private int at;

  private EncodedInstruction(List<Integer> bytes) {
    this.bytes = bytes;
  }

  /** Decodes at the start; returns how many bytes were taken, at least one. */
  static int decode(List<Integer> bytes, BiConsumer<String, List<Operand>> add) {
    return new EncodedInstruction(bytes).decode(add);
  }

  private int decode(BiConsumer<String, List<Operand>> add) {
    int rex = (bytes.get(0) & 0xf0) == 0x40 ? next() : 0;
    if (bytes.size() < at + 3 || next() != 0x0f || next() != 0xae) {
      return 1;
    }
    int modrm = next();
    int mode = modrm >> 6;
    int operation = modrm >> 3 & 7;
    if (mode == 3) {
      if (operation >= 5) {
        add.accept(operation == 5 ? "lfence" : operation == 6 ? "mfence" : "sfence", List.of());
      }
      return at;
    }
    Operand memory = memory(mode, modrm & 7, rex);
    if (operation == 6) {
      add.accept("xsaveopt", List.of(memory));
    } else if (operation == 7) {
      add.accept("clflush", List.of(memory));
    }
    return Math.min(at, bytes.size());
  }

  private Operand memory(int mode, int low, int rex) {
    int base = low;
    int index = NO_INDEX;
    int scale = 0;
    if (low == SCALED) {
      int sib = next();
      base = sib & 7;
      index = (sib >> 3 & 7) + (rex & 2) * 4;
      scale = index == NO_INDEX ? 0 : 1 << (sib >> 6);
    }
    boolean based = mode != 0 || base != NO_BASE;
    long displacement = mode == 1 ? (byte) next() : mode == 2 || !based ? next32() : 0;
    if (!based) {
      return Operand.UNKNOWN_MEMORY;
    }
    String baseName = REGISTERS[base + (rex & 1) * 8];
    String indexed = scale == 0 ? "" : ",%" + REGISTERS[index] + "," + scale;
    return new Operand.Memory(
        new Operand.Register(baseName),
        scale == 0 ? Operand.UNKNOWN : new Operand.Register(REGISTERS[index]),
        scale,
        displacement,
        0,
        displacement + "(%" + baseName + indexed + ")");
  }

  /** What is missing counts as 0. */
  private int next() {
    int place = at++;
    return place < bytes.size() ? bytes.get(place) : 0;
  }

  private int next32() {
    return next() | next() << 8 | next() << 16 | next() << 24;
  }
}
