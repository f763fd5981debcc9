package dev.perdure.binary.decode;

/** What an instruction is beyond its operands, as the table of opcodes names it. */
public enum Operation {
  PLAIN,
  /** Copies a register or an immediate to memory, or memory to a register. */
  MOVE,
  /** Loads with zero or sign extension. */
  EXTEND,
  /** Fills a vector with what it loads. */
  BROADCAST,
  BRANCH,
  LOOP,
  JUMP,
  INDIRECT_JUMP,
  CALL,
  INDIRECT_CALL,
  RETURN,
  STOP,
  /** Pushes from or pops to memory. */
  STACK,
  STRING,
  EXCHANGE,
  EXCHANGE_ADD,
  COMPARE_EXCHANGE,
  NONTEMPORAL,
  CLWB,
  CLFLUSHOPT,
  CLFLUSH,
  SFENCE,
  MFENCE,
  /** Elements at places that a vector of indices says: gathers, and scatters, which store. */
  GATHER,
  MASKED,
  MASKED_STORE,
  /** Elements that a mask selects, which lie side by side in memory: expanding and compressing. */
  PACKED,
  BIT_STRING,
  TRANSLATE,
  AREA_LOAD,
  AREA_STORE,
  /** Copies 64 bytes past the caches to where a register points: movdir64b. */
  DIRECT_STORE,
  /** Begins a hardware transaction; goes elsewhere when it aborts. */
  TRANSACTION,
  TRANSACTION_ABORT,
  /** Reads and writes what the table does not say. */
  OTHER;

  /** Whether the instruction behind it is not reached by falling through. */
  public boolean endsFlow() {
    return this == JUMP || this == INDIRECT_JUMP || this == RETURN || this == STOP;
  }

  public boolean flush() {
    return this == CLWB || this == CLFLUSHOPT || this == CLFLUSH;
  }

  public boolean fence() {
    return this == SFENCE || this == MFENCE;
  }

  /** Whether it is executed only by processors with hardware transactions. */
  public boolean transactional() {
    return this == TRANSACTION || this == TRANSACTION_ABORT;
  }

  /** Whether control comes back behind it. */
  public boolean calls() {
    return this == CALL || this == INDIRECT_CALL;
  }

  /** Whether its operand is a place in the code. */
  public boolean relative() {
    return this == BRANCH || this == LOOP || this == JUMP || this == CALL || this == TRANSACTION;
  }
}
