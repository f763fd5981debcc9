package dev.perdure.crash.memory;

/**
 * Bytes of one line that become persistent together: at most eight aligned ones of one store.
 *
 * @param store its number
 * @param mask which bytes of the line are still on their way
 * @param content the line with the stored bytes in their places
 * @param anyOrder whether it may overtake the units before it: a non-temporal store, or a part of a
 *     copy or vector store
 */
public record StoreUnit(int store, long mask, byte[] content, boolean anyOrder) {
  /** Puts its bytes into an array that has the line from an index on. */
  public void writeTo(byte[] bytes, int line) {
    for (long rest = mask; rest != 0; rest &= rest - 1) {
      int b = Long.numberOfTrailingZeros(rest);
      bytes[line + b] = content[b];
    }
  }

  StoreUnit without(long persisted) {
    return new StoreUnit(store, mask & ~persisted, content, anyOrder);
  }
}
