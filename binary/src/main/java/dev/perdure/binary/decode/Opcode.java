package dev.perdure.binary.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A line of the table: operands and effects of one form of an instruction. */
record Opcode(
    List<OperandSpec> operands,
    int implicitReads,
    int implicitWrites,
    boolean flagsRead,
    boolean flagsKilled,
    Operation operation) {
  private static final List<String> REGISTERS =
      List.of("ax", "cx", "dx", "bx", "sp", "bp", "si", "di");

  static Opcode parse(List<String> words) {
    List<OperandSpec> operands = new ArrayList<>();
    int reads = 0;
    int writes = 0;
    boolean flagsRead = false;
    boolean flagsKilled = false;
    Operation operation = Operation.PLAIN;
    for (String word : words) {
      switch (word.charAt(0)) {
        case '<' -> reads |= register(word);
        case '>' -> writes |= register(word);
        case '!' -> flagsKilled = true;
        case '?' -> flagsRead = true;
        case '@' -> operation = Operation.valueOf(word.substring(1).toUpperCase(Locale.ROOT));
        default -> operands.add(OperandSpec.parse(word));
      }
    }
    return new Opcode(List.copyOf(operands), reads, writes, flagsRead, flagsKilled, operation);
  }

  private static int register(String word) {
    int number = REGISTERS.indexOf(word.substring(1));
    if (number < 0) {
      throw new IllegalArgumentException("no register: " + word);
    }
    return 1 << number;
  }

  boolean hasModRm() {
    return operands.stream().anyMatch(o -> "EGMVW".indexOf(o.place()) >= 0);
  }
}
