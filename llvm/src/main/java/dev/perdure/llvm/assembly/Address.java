package dev.perdure.llvm.assembly;

/** A place in memory, in terms of the operands of the asm statement. */
public sealed interface Address {

  /** A memory operand: its argument is the address. */
  record MemoryOperand(int argument) implements Address {}

  /**
   * Computed from arguments.
   *
   * @param index the argument that is multiplied by the scale; meaningless where scale is 0
   */
  record Computed(int base, int index, int scale, long displacement) implements Address {}

  /** Not known: the thread's own stack, a symbol, a register that no operand is bound to. */
  record Unknown() implements Address {}
}
