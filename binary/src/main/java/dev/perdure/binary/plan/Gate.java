package dev.perdure.binary.plan;

/** The entries into the runtime, in the order of its table of gates. */
enum Gate {
  LOAD,
  LOAD_NOW,
  STORE,
  STORE_BEGIN,
  STORE_END,
  FLUSH,
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
  NAMED_BEGIN,
  NAMED_END,
  REGION_START;

  /** The page area below 2 GiB that every copy of code can name with 32 bits. */
  static final int LOW_AREA = 0x7ffc0000;

  /** One byte for each 4 GiB block: whether anything in it is to be observed. */
  static final int BLOCK_MAP = LOW_AREA;

  /** One byte for each word of 8 bytes, by the low bits of its number: whether it was touched. */
  static final int FILTER = LOW_AREA + 0x10000;

  private static final int GATES = LOW_AREA + 0x8000;

  int address() {
    return GATES + 8 * ordinal();
  }
}
