package dev.perdure.llvm.assembly;

import java.util.List;
import java.util.Map;

/**
 * One machine instruction of the text.
 *
 * @param locked with a lock prefix
 * @param data16 with the prefix 0x66, which makes clflush a clflushopt and xsaveopt a clwb
 * @param repeated with a rep prefix
 * @param mnemonic in lower case
 * @param operands in the order of AT&amp;T syntax: the destination last
 * @param start where it begins in the reader's text, with its prefixes
 * @param end where it ends there
 */
record Statement(
    boolean locked,
    boolean data16,
    boolean repeated,
    String mnemonic,
    List<Operand> operands,
    int start,
    int end) {

  private static final Map<String, Integer> STRINGS =
      Map.of("movs", 0xa4, "cmps", 0xa6, "stos", 0xaa, "lods", 0xac, "scas", 0xae);

  Statement {
    operands = List.copyOf(operands);
  }

  /** One that goes through memory by the registers that it always uses. */
  boolean isString() {
    Mnemonic name = Mnemonic.of(mnemonic);
    return operands.isEmpty() && name.size() > 0 && STRINGS.containsKey(name.base());
  }

  /** Of a string instruction that is repeated the opcode for words, of others that for bytes. */
  int stringOpcode() {
    return STRINGS.get(Mnemonic.of(mnemonic).base()) + (repeated ? 1 : 0);
  }
}
