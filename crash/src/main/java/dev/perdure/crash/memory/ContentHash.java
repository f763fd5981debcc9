package dev.perdure.crash.memory;

/**
 * A number for the content of pools: the sum over all bytes that differ from the content before the
 * run. Contents that are equal have equal numbers, and practically only they.
 */
public final class ContentHash {
  private ContentHash() {}

  /** By how much the number changes when a byte gets another value. */
  public static long change(long address, byte from, byte to) {
    return from == to ? 0 : mix(address, to & 0xff) - mix(address, from & 0xff);
  }

  /** Mixes two numbers to one that tells practically all pairs apart. */
  public static long mix(long a, long b) {
    long h = (a ^ 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L + b * 0x94D049BB133111EBL;
    h = (h ^ h >>> 31) * 0xD6E8FEB86659FD93L;
    return h ^ h >>> 29;
  }
}
