package dev.perdure.crash.memory;

/** A byte of a pool as one number: the pool in the upper bits, the offset in the lower ones. */
public final class PoolAddress {
  /** No byte of a pool. */
  public static final long NONE = -1;

  private static final int OFFSET_BITS = 44;

  private PoolAddress() {}

  public static long of(int pool, long offset) {
    return (long) pool << OFFSET_BITS | offset;
  }

  public static int pool(long address) {
    return (int) (address >>> OFFSET_BITS);
  }

  public static long offset(long address) {
    return address & (1L << OFFSET_BITS) - 1;
  }
}
