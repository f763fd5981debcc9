package dev.perdure.binary.plan;

/** The entries into the runtime, in the order of its table of gates. */
enum Gate {
  LOAD,
  LOAD_FOLLOWED,
  LOAD_NOW,
  STORE,
  STORE_PRECEDED,
  STORE_BEGIN,
  STORE_END,
  FLUSH,
  FLUSH_PRECEDED,
  FENCE,
  ATOMIC_BEGIN,
  ATOMIC_END,
  STRING_BEGIN,
  STRING_END,
  BIT_BEGIN,
  BIT_END,
  TRANSLATE,
  VECTOR_LOAD,
  VECTOR_STORE,
  DIRECT_STORE,
  NAMED_BEGIN,
  NAMED_END,
  REGION_START;

  /** The area below 2 GiB that every copy of code can name with 32 bits. */
  private static final int LOW_AREA = 0x77fc0000;

  /** Blocks of 1 MiB: with larger ones, much of ordinary memory lies in the block of some lock. */
  static final int BLOCK_SHIFT = 20;

  private static final int ADDRESS_BITS = 47;

  /** One byte for each block: whether anything in it is to be observed. */
  static final int BLOCK_MAP = LOW_AREA;

  private static final int GATES = BLOCK_MAP + (1 << ADDRESS_BITS - BLOCK_SHIFT);

  /** One byte for each word of 8 bytes, by the low bits of its number: whether it was touched. */
  static final int FILTER = GATES + 0x10000;

  /** Whether a constant is among what it is told. */
  boolean takesConstant() {
    return this == STORE || this == STORE_PRECEDED || this == NAMED_END;
  }

  int address() {
    return GATES + 8 * ordinal();
  }
}
