package dev.perdure.llvm.assembly;

/** What an asm statement stores. */
public sealed interface Source {

  /** The value of an argument. */
  record Argument(int argument) implements Source {}

  /** A number. */
  record Constant(long value) implements Source {}

  /** Only the memory itself tells, afterwards. */
  record Unknown() implements Source {}
}
