package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;

/** How an instruction is observed. */
public enum SiteKind {
  /** The instruction is executed, then the runtime is called. */
  LOAD,
  /** The same, where another event of the thread comes soon. */
  LOAD_FOLLOWED,
  /** The runtime is called, then the instruction is executed: calls and jumps through memory. */
  LOAD_NOW,
  /** A store whose value is a register or a constant: the runtime is called before it. */
  STORE,
  /** The same, directly behind another event of the thread. */
  STORE_PRECEDED,
  /** A store whose bytes are known only afterwards: called before and after it. */
  STORE_AROUND,
  FLUSH,
  /** A flush directly behind another event of the thread. */
  FLUSH_PRECEDED,
  FENCE,
  /** A locked read-modify-write: called before and after it, whatever the address. */
  UPDATE_ATOMIC,
  /** A string instruction: called before and after it. */
  STRING,
  /** A bit of a string of bits, which may lie far from the operand: called before and after it. */
  BIT,
  /** A table of bytes that al is looked up in: called after it. */
  TRANSLATE,
  /** Elements of a vector, each at its own place or under a mask: called after it. */
  VECTOR_LOAD,
  /** Elements of a vector, each at its own place or under a mask: called before it. */
  VECTOR_STORE,
  /** A copy of 64 bytes to where a register points: called before it. */
  DIRECT_STORE;

  /**
   * Whether it is observed also while the process has no persistent memory: locked instructions,
   * which may take a lock that is held when it gets some, flushes and fences.
   */
  boolean wantedAlways(Instruction i) {
    return this == FENCE || flushes() || this == UPDATE_ATOMIC || this == BIT && i.atomic();
  }

  boolean flushes() {
    return this == FLUSH || this == FLUSH_PRECEDED;
  }

  /** Whether nothing is changed by it. */
  boolean onlyReads() {
    return this == LOAD
        || this == LOAD_FOLLOWED
        || this == LOAD_NOW
        || this == TRANSLATE
        || this == VECTOR_LOAD;
  }

  /** Whether it is one access of a plain operand, behind which the code goes on. */
  boolean sharesTests() {
    return this == LOAD
        || this == LOAD_FOLLOWED
        || this == STORE
        || this == STORE_PRECEDED
        || this == STORE_AROUND
        || flushes();
  }
}
