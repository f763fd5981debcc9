package dev.perdure.detect.shadow;

import java.util.Arrays;
import java.util.function.Consumer;

/** The shadow areas by address: an open-addressed table. */
final class AreaTable {
  private ShadowArea[] slots = new ShadowArea[16];
  private int count;

  AreaTable() {
    Arrays.fill(slots, ShadowArea.NONE);
  }

  /** The area of an address, or {@link ShadowArea#NONE}. */
  ShadowArea find(long address) {
    long number = address >>> ShadowArea.SHIFT;
    for (int i = slot(number); ; i = i + 1 & slots.length - 1) {
      ShadowArea area = slots[i];
      if (area.number == number || area == ShadowArea.NONE) {
        return area;
      }
    }
  }

  ShadowArea at(long address) {
    ShadowArea area = find(address);
    if (area != ShadowArea.NONE) {
      return area;
    }
    if (2 * ++count > slots.length) {
      ShadowArea[] old = slots;
      slots = new ShadowArea[2 * old.length];
      Arrays.fill(slots, ShadowArea.NONE);
      for (ShadowArea p : old) {
        if (p != ShadowArea.NONE) {
          insert(p);
        }
      }
    }
    area = new ShadowArea(address >>> ShadowArea.SHIFT);
    insert(area);
    return area;
  }

  void forEach(Consumer<ShadowArea> action) {
    for (ShadowArea area : slots) {
      if (area != ShadowArea.NONE) {
        action.accept(area);
      }
    }
  }

  int count() {
    return count;
  }

  private void insert(ShadowArea area) {
    int i = slot(area.number);
    while (slots[i] != ShadowArea.NONE) {
      i = i + 1 & slots.length - 1;
    }
    slots[i] = area;
  }

  /** Fibonacci hashing: areas side by side get slots far apart. */
  private int slot(long number) {
    return (int) (number * 0x9E3779B97F4A7C15L >>> Long.numberOfLeadingZeros(slots.length) + 1);
  }
}
