package dev.perdure.detect.calm;

import java.util.Arrays;

/** The windows that a visit opened and ended, from the steps of its path. */
final class PastWindows {
  /** Is told of windows, or parts of them, in the order in which they end. */
  interface Visitor {
    /** Some bytes of the word at that position of the line. */
    void ended(int position, int mask, int origin, int endOrigin, boolean overwritten);
  }

  private final int[] positions = new int[VisitPaths.LONGEST];
  private final int[] masks = new int[VisitPaths.LONGEST];
  private final int[] origins = new int[VisitPaths.LONGEST];
  private final boolean[] pending = new boolean[VisitPaths.LONGEST];
  private int count;

  void forEach(long[] steps, Visitor visitor) {
    count = 0;
    for (long step : steps) {
      int origin = VisitPaths.origin(step);
      switch (VisitPaths.kind(step)) {
        case VisitPaths.STORE -> store(step, origin, visitor);
        case VisitPaths.FLUSH -> Arrays.fill(pending, 0, count, true);
        case VisitPaths.ORDERED_FLUSH -> end(origin, false, visitor);
        case VisitPaths.FENCE -> end(origin, true, visitor);
        default -> {}
      }
    }
  }

  private void store(long step, int origin, Visitor visitor) {
    int position = VisitPaths.offset(step) >>> 3;
    int mask = (int) (VisitPaths.bytes(step) >>> 8 * position) & 0xff;
    int left = 0;
    for (int i = 0; i < count; i++) {
      int part = positions[i] == position ? masks[i] & mask : 0;
      if (part != 0) {
        visitor.ended(position, part, origins[i], origin, true);
        masks[i] &= ~part;
      }
      if (masks[i] != 0) {
        move(i, left++);
      }
    }
    positions[left] = position;
    masks[left] = mask;
    origins[left] = origin;
    pending[left] = false;
    count = left + 1;
  }

  private void end(int origin, boolean onlyPending, Visitor visitor) {
    int left = 0;
    for (int i = 0; i < count; i++) {
      if (onlyPending && !pending[i]) {
        move(i, left++);
      } else {
        visitor.ended(positions[i], masks[i], origins[i], origin, false);
      }
    }
    count = left;
  }

  private void move(int from, int to) {
    positions[to] = positions[from];
    masks[to] = masks[from];
    origins[to] = origins[from];
    pending[to] = pending[from];
  }
}
