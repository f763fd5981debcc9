package dev.perdure.binary.plan;

/** How an instruction is observed; the number of its gate into the runtime is the ordinal. */
public enum SiteKind {
  /** The instruction is executed, then the runtime is called. */
  LOAD,
  /** The runtime is called, then the instruction is executed: calls and jumps through memory. */
  LOAD_NOW,
  /** A store whose value is a register or a constant: the runtime is called before it. */
  STORE,
  /** A store whose bytes are known only afterwards: called before and after it. */
  STORE_AROUND,
  FLUSH,
  FENCE,
  /** A locked read-modify-write: called before and after it, whatever the address. */
  UPDATE_ATOMIC,
  /** A string instruction: called before and after it. */
  STRING;

  /** Whether the copy asks if the address may be persistent memory before it calls the runtime. */
  boolean tested() {
    return this != FENCE && this != UPDATE_ATOMIC && this != STRING;
  }
}
