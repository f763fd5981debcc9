package dev.perdure.binary.decode;

/** What an instruction does with its memory operand. */
public enum Access {
  /** There is none, or only its address is computed. */
  NONE,
  LOAD,
  STORE,
  /** Reads, then writes the same place. */
  UPDATE
}
