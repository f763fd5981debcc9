package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.OrderClocks;
import dev.perdure.detect.sync.ThreadState;

/**
 * What stores, flushes and fences do to the bytes of persistent memory: the table of SEMANTICS,
 * section 1. Windows that are ended while their bytes are still private are dropped here and now,
 * which is initialisation removal: they could only ever be dropped when the second thread comes.
 */
public final class Persistence {
  private final ShadowPm shadow;
  private final Windows windows;
  private final PendingFlushes pending;
  private final OrderClocks orders;
  private final WindowObserver observer;
  private final boolean hasWindows;
  private final boolean keepsPrivate;
  private final boolean keepsClosed;
  private final Allocations allocations;
  private UnmadeLines unmade;
  private long removed;

  /**
   * @param hasWindows whether stores need to be flushed at all
   * @param initRemoval whether windows that end while their bytes are private are dropped
   * @param keepsClosed whether anybody wants to know of windows that are over
   */
  public Persistence(
      ShadowPm shadow,
      OrderClocks orders,
      WindowObserver observer,
      boolean hasWindows,
      boolean initRemoval,
      boolean keepsClosed) {
    this.shadow = shadow;
    this.windows = shadow.windows();
    this.pending = shadow.pending();
    this.orders = orders;
    this.observer = observer;
    this.hasWindows = hasWindows;
    this.keepsPrivate = !initRemoval;
    this.keepsClosed = keepsClosed;
    this.allocations = new Allocations(shadow);
  }

  /** Says who knows the lines that have no words. */
  public void setUnmadeLines(UnmadeLines lines) {
    unmade = lines;
  }

  UnmadeLines unmadeLines() {
    return unmade;
  }

  /** How many windows initialisation removal has dropped. */
  public long removedWindows() {
    return removed;
  }

  Allocations allocations() {
    return allocations;
  }

  /** The word of an address, with what is left to be made at first use. */
  int wordAt(ShadowArea area, long address) {
    boolean isFirst = area.lines[ShadowArea.line(address)] == ShadowArea.ABSENT;
    makeLine(area, address);
    int word = shadow.word(area, address);
    if (isFirst) {
      shadow.shapes().madeFirst(address & -64);
    }
    return word;
  }

  /** The word of the whole line, or 0 where it has words of its own. */
  int lineWordAt(ShadowArea area, long address) {
    makeLine(area, address);
    return shadow.lineWord(area, address);
  }

  private void makeLine(ShadowArea area, long address) {
    int block = area.lines[ShadowArea.line(address)];
    if (block == ShadowArea.ABSENT) {
      allocations.materialise(area, ShadowArea.line(address));
    } else if (ShadowArea.isUnmade(block)) {
      unmade.make(address & -64);
    }
  }

  /** Whether something is known of a line that was never accessed. */
  public boolean isAllocated(long line) {
    return allocations.covers(line);
  }

  /** Of the bytes of windows that end, those that are remembered, given which ones are shared. */
  public long kept(long bytes, long shared) {
    return !keepsClosed ? 0 : keepsPrivate ? bytes : bytes & shared;
  }

  /** Windows were dropped elsewhere. */
  public void addRemoved(int count) {
    removed += count;
  }

  /** A store to some bytes of one word. Returns the new window, 0 where stores need no flush. */
  int store(
      int word, long address, int mask, Access access, StoreKind kind, long value, int granule) {
    int[] a = shadow.chunk(word);
    int w = ShadowPm.at(word);
    ThreadState t = access.thread();
    shadow.ownership().touch(a, w, mask, t.number(), granule);
    if (kind != StoreKind.ATOMIC && Word.isAtomic(a, w)) {
      observer.overwroteAtomic(t, address, mask, value);
    }
    if (!hasWindows) {
      return 0;
    }
    int window = reusable(a, w, mask);
    if (window == 0) {
      endOverlapping(word, a, w, mask, access);
      window = windows.allocate();
      if (a[w + Word.OPEN] == 0) {
        Word.markOpen(a, w, word, true);
      }
      windows.setNext(window, a[w + Word.OPEN]);
      a[w + Word.OPEN] = window;
    }
    boolean pendingNow = kind == StoreKind.NON_TEMPORAL;
    int state = pendingNow ? Windows.PENDING : Windows.DIRTY;
    boolean exempt = t.isExempt();
    int packed = mask | state | (exempt ? Windows.EXEMPT : 0);
    windows.open(window, packed, access.origin(), t, t.orderNumber(orders), address, access.time());
    windows.setValue(window, value);
    shadow.newVersion(a, w);
    if (pendingNow) {
      windows.addPending(window, t.index());
      pending.add(t.index(), window, windows.stamp(window), word);
    }
    if (!exempt) {
      observer.opened(a, w, window, mask, t);
    }
    return window;
  }

  /** The word's only window, where the store replaces it as a whole and nobody will ask for it. */
  private int reusable(int[] a, int w, int mask) {
    int window = a[w + Word.OPEN];
    if (window == 0
        || windows.next(window) != 0
        || windows.mask(window) != mask
        || kept(a, w, window, mask) != 0) {
      return 0;
    }
    removed++;
    shadow.values().release(windows, window);
    return window;
  }

  /** The bytes of an ending window that are remembered. */
  private int kept(int[] a, int w, int window, int part) {
    if (!keepsClosed || windows.is(window, Windows.EXEMPT)) {
      return 0;
    }
    return keepsPrivate ? part : part & Word.shared(a, w);
  }

  private void endOverlapping(int word, int[] a, int w, int mask, Access access) {
    int previous = 0;
    for (int window = a[w + Word.OPEN]; window != 0; ) {
      int next = windows.next(window);
      int part = windows.mask(window) & mask;
      boolean whole = part == windows.mask(window);
      if (part != 0) {
        end(
            word,
            a,
            w,
            window,
            previous,
            part,
            access.thread(),
            access.origin(),
            access.time(),
            true);
      }
      previous = part != 0 && whole ? previous : window;
      window = next;
    }
  }

  private void end(
      int word,
      int[] a,
      int w,
      int window,
      int previous,
      int part,
      ThreadState t,
      int origin,
      long time,
      boolean overwritten) {
    if (!overwritten) {
      observer.persisted(a, w, window, part);
    }
    int kept = kept(a, w, window, part);
    int record = window;
    if (part == windows.mask(window)) {
      shadow.unlink(a, w, window, previous);
      if (a[w + Word.OPEN] == 0) {
        Word.markOpen(a, w, word, false);
      }
      shadow.values().release(windows, window);
      if (kept == 0) {
        removed++;
        windows.release(window);
        return;
      }
    } else {
      windows.setMask(window, windows.mask(window) & ~part);
      if (kept == 0) {
        removed++;
        return;
      }
      record = windows.copy(window);
    }
    int race = windows.race(record);
    windows.setMask(record, kept);
    windows.close(record, origin, t, time, overwritten);
    int lockset = observer.ended(a, w, record, race, t);
    shadow.closed().put(a, w, record, lockset, t);
  }

  /** A fence of the thread; returns whether anything was pending for it. */
  public boolean fence(ThreadState t, int origin, long time) {
    int index = t.index();
    boolean any = false;
    for (int i = 0; i < pending.size(index); i++) {
      int window = pending.window(index, i);
      if (windows.stamp(window) == pending.stamp(index, i)
          && windows.state(window) == Windows.PENDING
          && isPendingFor(window, index)) {
        any = true;
        persist(window, pending.word(index, i), t, origin, time);
      }
    }
    pending.clear(index);
    return any;
  }

  private void persist(int window, int word, ThreadState t, int origin, long time) {
    int[] a = shadow.chunk(word);
    int w = ShadowPm.at(word);
    int previous = 0;
    for (int v = a[w + Word.OPEN]; v != window; v = windows.next(v)) {
      previous = v;
    }
    end(word, a, w, window, previous, windows.mask(window), t, origin, time, false);
  }

  /** A flush of one line; returns whether it changed anything. */
  public boolean flush(ThreadState t, int origin, long time, long address, boolean ordered) {
    ShadowArea area = shadow.area(address);
    int line = ShadowArea.line(address);
    int known = area.lines[line];
    if (ShadowArea.isUnmade(known)) {
      UnmadeLines.Flush flush = unmade.flush(t, origin, time, address & -64, known, ordered);
      if (flush != UnmadeLines.Flush.MADE) {
        return flush == UnmadeLines.Flush.NEEDED;
      }
    }
    if (area.lines[line] == ShadowArea.ABSENT && allocations.covers(address & -64)) {
      area = shadow.areas().at(address);
      allocations.materialise(area, line);
    }
    int first = Math.abs(area.lines[line]);
    if (first == ShadowArea.ABSENT) {
      return false;
    }
    boolean needed = false;
    int open = Word.lineOpen(shadow.chunk(first), ShadowPm.at(first));
    for (int bits = open; bits != 0; bits &= bits - 1) {
      int word = first + Integer.numberOfTrailingZeros(bits) * Word.INTS;
      int window = Word.open(shadow.chunk(word), ShadowPm.at(word));
      while (window != 0) {
        int next = windows.next(window);
        if (ordered) {
          persist(window, word, t, origin, time);
          needed = true;
          window = next;
          continue;
        }
        if (windows.state(window) == Windows.DIRTY || !isPendingFor(window, t.index())) {
          needed = true;
          windows.addPending(window, t.index());
          windows.setFlushOrigin(window, origin);
          pending.add(t.index(), window, windows.stamp(window), word);
        }
        window = next;
      }
    }
    return needed;
  }

  /** What a fence of the thread did to one line, which was flushed before. */
  public void fenceLine(ThreadState t, int origin, long time, long address) {
    int first = Math.abs(shadow.line(address));
    for (int bits = Word.lineOpen(shadow.chunk(first), ShadowPm.at(first));
        bits != 0;
        bits &= bits - 1) {
      int word = first + Integer.numberOfTrailingZeros(bits) * Word.INTS;
      int window = Word.open(shadow.chunk(word), ShadowPm.at(word));
      while (window != 0) {
        int next = windows.next(window);
        if (windows.state(window) == Windows.PENDING && isPendingFor(window, t.index())) {
          persist(window, word, t, origin, time);
        }
        window = next;
      }
    }
  }

  private boolean isPendingFor(int window, int index) {
    return windows.namesPending(window, index)
        || windows.is(window, Windows.PENDING_FOR_MORE)
            && pending.contains(index, window, windows.stamp(window));
  }

  /** All lines of a range are persisted at once; returns whether anything in them was not. */
  public boolean persist(ThreadState t, int origin, long time, long address, long length) {
    return flush(t, origin, time, address, address + length, true);
  }

  /** Flushes the lines from an address to another. */
  public boolean flush(ThreadState t, int origin, long time, long from, long end, boolean ordered) {
    boolean needed = false;
    for (long line = from & -64; line < end; line += 64) {
      long lastOfArea = line | (1L << ShadowArea.SHIFT) - 64;
      if (end - line > 64
          && shadow.area(line) == ShadowArea.NONE
          && !allocations.coverSome(line, lastOfArea + 64)) {
        line = lastOfArea;
        continue;
      }
      needed |= flush(t, origin, time, line, ordered);
    }
    return needed;
  }
}
