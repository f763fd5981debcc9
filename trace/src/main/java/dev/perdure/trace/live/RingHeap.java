package dev.perdure.trace.live;

import java.util.Arrays;

/**
 * Rings with a known next event, the earliest on top. A ring's time may only grow while it is in
 * here, and only the top's.
 */
final class RingHeap {
  private Ring[] rings = new Ring[16];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  Ring get(int index) {
    return rings[index];
  }

  Ring top() {
    return rings[0];
  }

  /** The earliest time below the top, or {@link Long#MAX_VALUE}. */
  long secondTime() {
    if (size < 2) {
      return Long.MAX_VALUE;
    }
    long left = rings[1].headTime();
    return size == 2 ? left : Math.min(left, rings[2].headTime());
  }

  void add(Ring ring) {
    if (size == rings.length) {
      rings = Arrays.copyOf(rings, 2 * size);
    }
    int at = size++;
    while (at > 0 && rings[at - 1 >> 1].headTime() > ring.headTime()) {
      rings[at] = rings[at - 1 >> 1];
      at = at - 1 >> 1;
    }
    rings[at] = ring;
  }

  Ring removeTop() {
    Ring top = rings[0];
    rings[0] = rings[--size];
    rings[size] = null;
    if (size > 1) {
      topGrew();
    }
    return top;
  }

  /** Restores the order after the top's time has grown. */
  void topGrew() {
    Ring ring = rings[0];
    long time = ring.headTime();
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && rings[child + 1].headTime() < rings[child].headTime()) {
        child++;
      }
      if (time <= rings[child].headTime()) {
        break;
      }
      rings[at] = rings[child];
      at = child;
    }
    rings[at] = ring;
  }
}
