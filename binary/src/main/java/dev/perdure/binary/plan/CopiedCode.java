package dev.perdure.binary.plan;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/** Where in the copy each instruction of the original code is. */
final class CopiedCode {
  private final Long2IntOpenHashMap positions = new Long2IntOpenHashMap();

  CopiedCode() {
    positions.defaultReturnValue(-1);
  }

  void put(long address, int position) {
    positions.put(address, position);
  }

  /** The position in the copy, or -1. */
  int position(long address) {
    return positions.get(address);
  }
}
