package dev.perdure.model.memory;

/** Arithmetic on the 64-byte lines that flushes work on. */
public final class CacheLine {
  public static final int BYTES = 64;

  private CacheLine() {}

  /** The first byte of the line that holds the address. */
  public static long of(long address) {
    return address & -BYTES;
  }

  /** How many lines a range touches. */
  public static long count(long address, long length) {
    return length <= 0 ? 0 : (of(address + length - 1) - of(address)) / BYTES + 1;
  }
}
