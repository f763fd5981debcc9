package dev.perdure.binary.decode;

/** A memory operand in the form of {@link Disassembly.Line#memory}. */
final class OperandText {
  private static final String[] REGISTERS = {
    "ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "8", "9", "10", "11", "12", "13", "14", "15",
    "ip"
  };

  private OperandText() {}

  static String of(MemoryOperand m) {
    return name(m.base(), m.narrow())
        + ","
        + (m.index() < 0 ? "none*1" : name(m.index(), m.narrow()) + "*" + m.scale())
        + ","
        + m.displacement();
  }

  private static String name(int register, boolean narrow) {
    if (register < 0) {
      return "none";
    }
    String name = REGISTERS[register];
    boolean numbered = Character.isDigit(name.charAt(0));
    return numbered ? "r" + name + (narrow ? "d" : "") : (narrow ? "e" : "r") + name;
  }
}
