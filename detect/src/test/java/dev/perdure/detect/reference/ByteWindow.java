package dev.perdure.detect.reference;

import java.util.Set;
import java.util.TreeSet;

/** The window of one store on one byte. */
final class ByteWindow {
  enum Fate {
    OPEN,
    PERSISTED,
    OVERWRITTEN,
    /** The byte was allocated or freed. */
    VANISHED
  }

  final long address;
  final int life;
  final int store;
  final int value;
  final boolean allocation;
  final boolean exempt;
  Fate fate = Fate.OPEN;

  /** The event that ended it; fences of an access come before the access itself. */
  int end = -1;

  boolean endedByFence;
  boolean dirty = true;
  final Set<Integer> pendingFor = new TreeSet<>();
  int flush = -1;

  ByteWindow(long address, int life, int store, int value, boolean allocation, boolean exempt) {
    this.address = address;
    this.life = life;
    this.store = store;
    this.value = value;
    this.allocation = allocation;
    this.exempt = exempt;
  }

  boolean isOpen() {
    return fate == Fate.OPEN;
  }

  /** A time that orders the fence of an event before its access. */
  int endTime() {
    return 2 * end + (endedByFence ? 0 : 1);
  }
}
