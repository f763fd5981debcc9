package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.AtomicOrder;

/** The numbers of perdure_trace.h that hooks take: sizes with orders, flushes, fences. */
final class AccessInfo {
  static final int PLAIN = 0;
  static final int VOLATILE = 6;

  static final int RMW_OTHER = 0;
  static final int RMW_EXCHANGE = 1;
  static final int RMW_COMPARE_EXCHANGE = 2;

  static final int FLUSH_CLWB = 0;
  static final int FLUSH_CLFLUSHOPT = 1;
  static final int FLUSH_CLFLUSH = 2;

  static final int FENCE_SFENCE = 0;
  static final int FENCE_MFENCE = 1;
  static final int FENCE_LOCKED = 2;
  static final int FENCE_ACQUIRE = 4;
  static final int FENCE_RELEASE = 5;
  static final int FENCE_ACQUIRE_RELEASE = 6;

  static final int LOCK_SHARED = 1;
  static final int LOCK_TRY = 4;

  private AccessInfo() {}

  /** PERDURE_INFO(size, order). */
  static int of(long size, int order) {
    return (int) size | order << 5;
  }

  static int order(AtomicOrder order) {
    return switch (order) {
      case NOT_ATOMIC -> PLAIN;
      case RELAXED -> 1;
      case ACQUIRE -> 2;
      case RELEASE -> 3;
      case ACQUIRE_RELEASE -> 4;
      case SEQUENTIALLY_CONSISTENT -> 5;
    };
  }
}
