package dev.perdure.llvm.assembly;

import java.util.List;

/**
 * One machine instruction of the text.
 *
 * @param locked with a lock prefix
 * @param data16 with the prefix 0x66, which makes clflush a clflushopt and xsaveopt a clwb
 * @param repeated with a rep prefix
 * @param mnemonic in lower case
 * @param operands in the order of AT&amp;T syntax: the destination last
 */
record Statement(
    boolean locked, boolean data16, boolean repeated, String mnemonic, List<Operand> operands) {

  Statement {
    operands = List.copyOf(operands);
  }
}
