package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.Threads;
import java.util.function.IntPredicate;

/**
 * The shadow of persistent memory: sparse, by pages and lines, down to a {@link Word} for every
 * eight bytes. It finds words and changes their shape; what happens to them is {@link
 * Persistence}'s matter.
 */
public final class ShadowPm {
  static final int LINE_LOG2 = 6;

  private final IntArena arena = new IntArena();
  private final PageTable pages = new PageTable();
  private final Windows windows = new Windows();
  private final LineValues values = new LineValues();
  private final Ownership ownership = new Ownership(arena);
  private final PendingFlushes pending;
  private final LoadRecords loads;
  private final ClosedWindows closed;

  public ShadowPm(Origins origins, Threads threads, Locksets sets, PendingFlushes pending) {
    this.pending = pending;
    this.loads = new LoadRecords(arena, origins, sets);
    this.closed = new ClosedWindows(arena, windows, origins, threads, sets);
  }

  public Windows windows() {
    return windows;
  }

  public LoadRecords loads() {
    return loads;
  }

  public ClosedWindows closed() {
    return closed;
  }

  public Ownership ownership() {
    return ownership;
  }

  PendingFlushes pending() {
    return pending;
  }

  LineValues values() {
    return values;
  }

  PageTable pages() {
    return pages;
  }

  /** The array that holds a word; its place there is {@link #at}. */
  public int[] chunk(int word) {
    return arena.chunk(word);
  }

  public static int at(int word) {
    return IntArena.at(word);
  }

  /** The word of an address, made where there was none. */
  int word(ShadowPage page, long address) {
    int line = ShadowPage.line(address);
    int block = page.lines[line];
    if (block <= 0) {
      block = block == ShadowPage.ABSENT ? arena.allocate(LINE_LOG2) : spread(page, line);
      page.lines[line] = block;
    }
    return block + (int) (address & 56);
  }

  /** The one word of a whole line, or 0 where the line has words of its own. */
  int lineWord(ShadowPage page, long address) {
    int line = ShadowPage.line(address);
    int block = page.lines[line];
    if (block > 0) {
      return 0;
    }
    if (block == ShadowPage.ABSENT) {
      block = -arena.allocate(Word.LOG2);
      page.lines[line] = block;
    }
    return -block;
  }

  /** The word of an address in a line that has words, or is one. */
  int existing(ShadowPage page, long address) {
    int block = page.lines[ShadowPage.line(address)];
    return block < 0 ? -block : block + (int) (address & 56);
  }

  /** The page of a word of a page that exists. */
  ShadowPage page(long address) {
    return pages.find(address);
  }

  /** A window was opened in a word that had none, or the last one is over. */
  void markOpen(ShadowPage page, long address, boolean open) {
    int line = ShadowPage.line(address);
    int bit = page.lines[line] < 0 ? 1 : 1 << (int) (address >>> 3 & 7);
    page.open[line] = (byte) (open ? page.open[line] | bit : page.open[line] & ~bit);
  }

  void newVersion(int[] a, int w) {
    int version = Word.version(a, w);
    if (version == Word.VERSION_LIMIT) {
      loads.forgetVersions(a, w);
      version = 0;
    }
    a[w + Word.MASKS] =
        a[w + Word.MASKS] & ~(0xff << Word.VERSION_SHIFT) | version + 1 << Word.VERSION_SHIFT;
  }

  /** Gives each eighth of a line a word of its own. */
  private int spread(ShadowPage page, int line) {
    int from = -page.lines[line];
    int block = arena.allocate(LINE_LOG2);
    int[] source = arena.chunk(from);
    int s = IntArena.at(from);
    int[] a = arena.chunk(block);
    page.lines[line] = block;
    page.open[line] = 0;
    for (int bit = 0; bit < 8; bit++) {
      int word = block + bit * Word.INTS;
      int w = IntArena.at(word);
      long address = page.lineAddress(line) + 8L * bit;
      int touched = Word.touched(source, s) >>> bit & 1;
      int shared = Word.shared(source, s) >>> bit & 1;
      a[w + Word.MASKS] =
          touched * 0xff
              | shared * 0xff << Word.SHARED_SHIFT
              | Word.version(source, s) << Word.VERSION_SHIFT;
      a[w + Word.OWNER] = ownership.owner(source, s, bit);
      Word.inherit(source, s, a, w);
      loads.spread(source, s, bit, a, w);
      closed.spread(source, s, bit, a, w, address);
      spreadOpen(source[s + Word.OPEN], bit, a, w, address);
      if (a[w + Word.OPEN] != 0) {
        markOpen(page, address, true);
      }
    }
    for (int window = source[s + Word.OPEN]; window != 0; ) {
      int next = windows.next(window);
      values.release(windows, window);
      windows.release(window);
      window = next;
    }
    loads.clear(source, s, 0xff);
    closed.clear(source, s, 0xff);
    ownership.clear(source, s, 0xff);
    arena.release(from);
    return block;
  }

  private void spreadOpen(int first, int bit, int[] a, int w, long address) {
    for (int window = first; window != 0; window = windows.next(window)) {
      if ((windows.mask(window) & 1 << bit) == 0) {
        continue;
      }
      int part = windows.copy(window);
      windows.setMask(part, 0xff);
      windows.moveTo(part, address);
      values.spread(windows, part, bit);
      windows.setNext(part, a[w + Word.OPEN]);
      a[w + Word.OPEN] = part;
      if (windows.state(part) == Windows.PENDING) {
        pending.inherit(part, windows.generation(part), window, windows.generation(window));
      }
    }
  }

  /** Forgets all that is known of some bytes of a word; open windows end without trace. */
  void clear(ShadowPage page, int word, long address, int mask) {
    int[] a = arena.chunk(word);
    int w = IntArena.at(word);
    int previous = 0;
    for (int window = a[w + Word.OPEN]; window != 0; ) {
      int next = windows.next(window);
      windows.setMask(window, windows.mask(window) & ~mask);
      if (windows.mask(window) == 0) {
        unlink(a, w, window, previous);
        values.release(windows, window);
        windows.release(window);
      } else {
        previous = window;
      }
      window = next;
    }
    if (a[w + Word.OPEN] == 0) {
      markOpen(page, address, false);
    }
    loads.clear(a, w, mask);
    closed.clear(a, w, mask);
    ownership.clear(a, w, mask);
  }

  void unlink(int[] a, int w, int window, int previous) {
    if (previous == 0) {
      a[w + Word.OPEN] = windows.next(window);
    } else {
      windows.setNext(previous, windows.next(window));
    }
  }

  /** Gives back the words of a line of which nothing is known any more. */
  void dropLine(ShadowPage page, int line) {
    arena.release(Math.abs(page.lines[line]));
    page.lines[line] = ShadowPage.ABSENT;
    page.open[line] = 0;
  }

  /** How many bytes a bit of the window's mask stands for. */
  public int granule(int window) {
    long address = windows.address(window);
    return pages.find(address).lines[ShadowPage.line(address)] < 0 ? 8 : 1;
  }

  /** What is told of every word by {@link #forEachWord}. */
  public interface WordVisitor {
    void visit(int[] a, int w);
  }

  public void forEachWord(WordVisitor visitor) {
    pages.forEach(
        page -> {
          for (int block : page.lines) {
            for (int i = 0; i < (block == ShadowPage.ABSENT ? 0 : block < 0 ? 1 : 8); i++) {
              int word = Math.abs(block) + i * Word.INTS;
              visitor.visit(arena.chunk(word), IntArena.at(word));
            }
          }
        });
  }

  /** What threads did so far takes no part in findings any more. */
  public void exempt(IntPredicate threadIndex) {
    forEachWord(
        (a, w) -> {
          for (int window = Word.open(a, w); window != 0; window = windows.next(window)) {
            if (threadIndex.test(windows.index(window))) {
              windows.set(window, Windows.EXEMPT);
            }
          }
          loads.remove(a, w, threadIndex);
          closed.remove(a, w, threadIndex);
        });
  }

  /** Reads the way to a word, and returns the word, or 0 where there is none. */
  public int peek(long address) {
    ShadowPage page = pages.find(address);
    int block = page.lines[ShadowPage.line(address)];
    return block <= 0 ? 0 : block + (int) (address & 56);
  }

  /** Reads a word. */
  public int peekWord(int word) {
    return arena.chunk(word)[IntArena.at(word)];
  }

  /** Reads the records of a word. */
  public int peekRecords(int word) {
    int[] a = arena.chunk(word);
    int w = IntArena.at(word);
    return arena.peek(a[w + Word.LOADS]) + arena.peek(a[w + Word.CLOSED]);
  }
}
