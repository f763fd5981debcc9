package dev.perdure.binary.sum;

/** What an address is a sum of. */
public sealed interface Term {
  /** A general register. */
  record Register(int number) implements Term {}

  /** Where the module is loaded: nothing changes it. */
  record ModuleBase() implements Term {}

  /** The result of an operator. */
  record Computed(Operator operator, RegisterSum left, RegisterSum right) implements Term {}
}
