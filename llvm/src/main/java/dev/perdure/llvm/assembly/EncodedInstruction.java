package dev.perdure.llvm.assembly;

import java.util.List;
import java.util.function.BiConsumer;

/** Instructions of the group 0F AE that are written as bytes: flushes and fences. */
final class EncodedInstruction {
  private static final String[] REGISTERS = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
  };

  private EncodedInstruction() {}

  /** Decodes at the start; returns how many bytes were taken, at least one. */
  static int decode(List<Integer> bytes, BiConsumer<String, List<Operand>> add) {
    int at = 0;
    int high = 0;
    if ((bytes.get(0) & 0xf0) == 0x40) {
      high = (bytes.get(0) & 1) * 8;
      at = 1;
    }
    if (bytes.size() < at + 3 || bytes.get(at) != 0x0f || bytes.get(at + 1) != 0xae) {
      return 1;
    }
    int modrm = bytes.get(at + 2);
    int mode = modrm >> 6;
    int operation = modrm >> 3 & 7;
    int base = modrm & 7;
    if (mode == 3) {
      if (operation >= 5) {
        add.accept(operation == 5 ? "lfence" : operation == 6 ? "mfence" : "sfence", List.of());
      }
      return at + 3;
    }
    boolean plainBase = base != 4 && !(mode == 0 && base == 5);
    int end = at + 3 + (base == 4 ? 1 : 0) + (mode == 1 ? 1 : mode == 2 || !plainBase ? 4 : 0);
    long displacement =
        mode == 1 && plainBase && bytes.size() > at + 3 ? bytes.get(at + 3).byteValue() : 0;
    Operand register = plainBase ? new Operand.Register(REGISTERS[base + high]) : Operand.UNKNOWN;
    Operand memory = new Operand.Memory(register, Operand.UNKNOWN, 0, displacement, 0);
    if (operation == 6) {
      add.accept("xsaveopt", List.of(memory));
    } else if (operation == 7) {
      add.accept("clflush", List.of(memory));
    }
    return Math.min(end, bytes.size());
  }
}
