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
  StoreUnit without(long persisted) {
    return new StoreUnit(store, mask & ~persisted, content, anyOrder);
  }
}
