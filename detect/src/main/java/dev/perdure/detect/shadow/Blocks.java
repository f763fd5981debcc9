package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.OrderClocks;
import dev.perdure.detect.sync.ThreadState;

/**
 * Allocation and freeing of persistent memory: both make the bytes private once more, and bytes
 * that were not zeroed count as unpersisted stores of the allocating call.
 */
public final class Blocks {
  /** Larger blocks get their windows when their lines are first used. */
  private static final long EAGER = 4096;

  private final ShadowPm shadow;
  private final Persistence persistence;
  private final OrderClocks orders;
  private final WindowObserver observer;
  private final boolean hasWindows;

  public Blocks(
      ShadowPm shadow,
      Persistence persistence,
      OrderClocks orders,
      WindowObserver observer,
      boolean hasWindows) {
    this.shadow = shadow;
    this.persistence = persistence;
    this.orders = orders;
    this.observer = observer;
    this.hasWindows = hasWindows;
  }

  public void allocate(
      ThreadState t, int origin, long time, long address, long size, boolean zeroed) {
    forget(address, size);
    persistence.allocations().setSize(address, size);
    if (zeroed || !hasWindows || size <= 0) {
      return;
    }
    Windows windows = shadow.windows();
    int template = windows.allocate();
    int exempt = t.isExempt() ? Windows.EXEMPT : 0;
    int packed = Windows.DIRTY | Windows.ALLOCATION | Windows.NO_VALUE | exempt;
    windows.open(template, packed, origin, t, t.orderNumber(orders), address, time);
    long firstLine = address + 63 & -64;
    long lastLine = address + size & -64;
    if (size <= EAGER) {
      open(template, address, address + size);
      windows.release(template);
      return;
    }
    open(template, address, firstLine);
    open(template, lastLine, address + size);
    for (long a = firstLine; a < lastLine; a += 64) {
      ShadowArea area = shadow.area(a);
      if (area == ShadowArea.NONE) {
        a |= (1L << ShadowArea.SHIFT) - 64;
      } else if (ShadowArea.hasWords(area.lines[ShadowArea.line(a)])) {
        open(template, a, a + 64);
      }
    }
    persistence.allocations().addLazy(firstLine, lastLine, template);
  }

  private void open(int template, long from, long to) {
    Windows windows = shadow.windows();
    for (long address = from & -8; address < to; address += 8) {
      int first = (int) Math.max(0, from - address);
      int last = (int) Math.min(8, to - address);
      int mask = (1 << last) - (1 << first);
      ShadowArea area = shadow.areas().at(address);
      int word = persistence.wordAt(area, address);
      int[] a = shadow.chunk(word);
      int w = ShadowPm.at(word);
      int window = windows.copy(template);
      windows.setMask(window, mask);
      windows.moveTo(window, address);
      windows.setNext(window, a[w + Word.OPEN]);
      a[w + Word.OPEN] = window;
      Word.markOpen(a, w, word, true);
      shadow.newVersion(a, w);
    }
  }

  /** Frees a block; a size of 0 means that of its allocation. */
  public void free(long address, long size) {
    long known = persistence.allocations().removeSize(address);
    forget(address, size > 0 ? size : known);
  }

  private void forget(long address, long size) {
    long end = address + size;
    if (size > 0) {
      persistence.allocations().removeLazy(address, end);
    }
    for (long line = address & -64; line < end; line += 64) {
      ShadowArea area = shadow.area(line);
      if (area == ShadowArea.NONE) {
        line |= (1L << ShadowArea.SHIFT) - 64;
        continue;
      }
      if (ShadowArea.isUnmade(area.lines[ShadowArea.line(line)])) {
        if (address <= line && end >= line + 64) {
          persistence.unmadeLines().forget(line);
        } else {
          persistence.unmadeLines().make(line);
        }
      }
      if (ShadowArea.hasWords(area.lines[ShadowArea.line(line)])) {
        forgetLine(area, line, Math.max(address, line), Math.min(end, line + 64));
      }
    }
  }

  private void forgetLine(ShadowArea area, long line, long from, long to) {
    boolean whole = to - from == 64;
    if (whole && area.lines[ShadowArea.line(line)] < 0) {
      shadow.clear(-area.lines[ShadowArea.line(line)], 0xff);
      shadow.dropLine(area, ShadowArea.line(line));
      return;
    }
    for (long address = from & -8; address < to; address += 8) {
      int first = (int) Math.max(0, from - address);
      int last = (int) Math.min(8, to - address);
      int mask = (1 << last) - (1 << first);
      int word = shadow.word(area, address);
      if (Word.isAtomic(shadow.chunk(word), ShadowPm.at(word))) {
        observer.forgotAtomic(address, mask);
      }
      shadow.clear(word, mask);
    }
    if (whole) {
      shadow.dropLine(area, ShadowArea.line(line));
    }
  }
}
