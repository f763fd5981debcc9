package dev.perdure.crash.memory;

import java.io.Serializable;

/** A range of a pool, by pool address. */
public record PoolRange(long address, long length) implements Serializable {
  public long end() {
    return address + length;
  }

  public boolean contains(long other) {
    return other >= address && other < end();
  }

  public boolean overlaps(PoolRange other) {
    return address < other.end() && other.address < end();
  }
}
