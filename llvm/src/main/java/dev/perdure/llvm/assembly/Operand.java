package dev.perdure.llvm.assembly;

import java.util.OptionalInt;

/** An operand of an instruction in the text. */
sealed interface Operand {

  /**
   * {@code $0}, {@code ${0:q}}: an operand of the statement.
   *
   * @param size bytes that the modifier says, or 0
   */
  record Numbered(int number, int size) implements Operand {}

  /** {@code %rax}. */
  record Register(String name) implements Operand {}

  /** {@code $$5} or, in Intel syntax, {@code 5}. */
  record Immediate(long value) implements Operand {}

  /**
   * {@code 8(%rax,%rcx,4)}.
   *
   * @param base what holds the address: a {@link Numbered} or {@link Register}, or {@link Unknown}
   * @param index what is multiplied by the scale and added
   * @param text in AT&amp;T syntax, or empty if it cannot be written at another place
   */
  record Memory(Operand base, Operand index, int scale, long displacement, int size, String text)
      implements Operand {}

  /** Anything else. */
  record Unknown() implements Operand {}

  Unknown UNKNOWN = new Unknown();

  Operand UNKNOWN_MEMORY = new Memory(UNKNOWN, UNKNOWN, 0, 0, 0, "");

  /** The number of the operand of the statement, if this is one. */
  default OptionalInt operandNumber() {
    return this instanceof Numbered n ? OptionalInt.of(n.number()) : OptionalInt.empty();
  }
}
