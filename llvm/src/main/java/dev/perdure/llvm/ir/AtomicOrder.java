package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

/** The memory order of an access; {@link #NOT_ATOMIC} for ordinary and volatile ones. */
public enum AtomicOrder {
  NOT_ATOMIC,
  RELAXED,
  ACQUIRE,
  RELEASE,
  ACQUIRE_RELEASE,
  SEQUENTIALLY_CONSISTENT;

  /** Whether a read with that order, or a fence, synchronises with what others released. */
  public boolean acquires() {
    return this == ACQUIRE || this == ACQUIRE_RELEASE || this == SEQUENTIALLY_CONSISTENT;
  }

  static AtomicOrder of(int ordering) {
    return switch (ordering) {
      case LLVMAtomicOrderingNotAtomic -> NOT_ATOMIC;
      case LLVMAtomicOrderingAcquire -> ACQUIRE;
      case LLVMAtomicOrderingRelease -> RELEASE;
      case LLVMAtomicOrderingAcquireRelease -> ACQUIRE_RELEASE;
      case LLVMAtomicOrderingSequentiallyConsistent -> SEQUENTIALLY_CONSISTENT;
      default -> RELAXED;
    };
  }
}
