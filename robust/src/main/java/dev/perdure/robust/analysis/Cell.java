package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Extent;
import java.util.function.IntPredicate;

/**
 * The persistency state of one location (PMRobust, figure 7): <em>dirty</em> if some store may not
 * have been flushed, else <em>clwb</em> if some flush may not have been fenced, else clean. For
 * each of the two it holds the stores and atomic loads that are to blame.
 *
 * @param extent how many bytes may be concerned
 */
record Cell(Origins dirty, Origins pending, Extent extent) {

  static Cell dirty(int origin, Extent extent) {
    return new Cell(Origins.of(origin), Origins.NONE, extent);
  }

  static Cell pending(int origin, Extent extent) {
    return new Cell(Origins.NONE, Origins.of(origin), extent);
  }

  boolean isClean() {
    return dirty.isEmpty() && pending.isEmpty();
  }

  Cell fenced() {
    return pending.isEmpty() ? this : new Cell(dirty, Origins.NONE, extent);
  }

  Cell flushed() {
    return dirty.isEmpty() ? this : new Cell(Origins.NONE, pending.union(dirty), extent);
  }

  Cell without(IntPredicate dropped) {
    Origins keptDirty = dirty.without(dropped);
    Origins keptPending = pending.without(dropped);
    return keptDirty == dirty && keptPending == pending
        ? this
        : new Cell(keptDirty, keptPending, extent);
  }

  Cell union(Cell other) {
    if (this == other) {
      return this;
    }
    Origins allDirty = dirty.union(other.dirty);
    Origins allPending = pending.union(other.pending);
    Extent whole = union(extent, other.extent);
    return allDirty == dirty && allPending == pending && whole.equals(extent)
        ? this
        : new Cell(allDirty, allPending, whole);
  }

  private static Extent union(Extent a, Extent b) {
    if (a.equals(b)) {
      return a;
    }
    if (!a.isConstant() || !b.isConstant()) {
      return Extent.STRING;
    }
    Extent larger = a.bytes() >= b.bytes() ? a : b;
    return new Extent(larger.bytes(), larger.variable(), a.oneLine() && b.oneLine());
  }
}
