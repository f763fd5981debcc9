package dev.perdure.fuzz.validation;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import java.util.BitSet;

/** Which bytes of a range a run writes. */
final class Overwritten implements EventHandler {
  private final long address;
  private final int length;
  private final BitSet written = new BitSet();

  Overwritten(long address, int length) {
    this.address = address;
    this.length = length;
  }

  boolean all() {
    return written.cardinality() == length;
  }

  @Override
  public void store(Event e) {
    write(e.address(), e.size());
  }

  @Override
  public void storeNt(Event e) {
    write(e.address(), e.size());
  }

  @Override
  public void rmw(Event e) {
    write(e.address(), e.size());
  }

  @Override
  public void storeBlock(Event e) {
    write(e.address(), e.value());
  }

  @Override
  public void storeNtBlock(Event e) {
    write(e.address(), e.value());
  }

  private void write(long from, long count) {
    long first = Math.max(from, address);
    long end = Math.min(from + count, address + length);
    if (first < end) {
      written.set((int) (first - address), (int) (end - address));
    }
  }
}
