package dev.perdure.binary.decode;

/**
 * A mask of AVX-512.
 *
 * @param register its number; 0: every element is selected
 * @param bits how many there are
 * @param element bytes in memory of an element
 * @param elements how many lie in memory: where there are fewer than bits, each stands for several
 */
public record BitMask(int register, int bits, int element, int elements) {
  /** Of instructions that have none. */
  public static final BitMask NONE = new BitMask(0, 0, 0, 0);
}
