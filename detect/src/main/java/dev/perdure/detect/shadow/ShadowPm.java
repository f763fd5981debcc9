package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.Threads;
import java.util.function.IntPredicate;

/**
 * The shadow of persistent memory: sparse, by areas and lines, down to a {@link Word} for every
 * eight bytes. It finds words and changes their shape; what happens to them is {@link
 * Persistence}'s matter.
 */
public final class ShadowPm {
  private final IntArena arena = new IntArena();
  private final AreaTable areas = new AreaTable();
  private final Windows windows = new Windows();
  private final LineValues values = new LineValues();
  private final Ownership ownership = new Ownership(arena);
  private final PendingFlushes pending;
  private final LoadRecords loads;
  private final ClosedWindows closed;
  private final LineShapes shapes;

  /**
   * @param foldsLines whether stores that fill a line one by one need not be told apart afterwards
   */
  public ShadowPm(
      Origins origins, Threads threads, Locksets sets, PendingFlushes pending, boolean foldsLines) {
    this.pending = pending;
    this.loads = new LoadRecords(arena, origins, sets);
    this.closed = new ClosedWindows(arena, windows, origins, threads, sets);
    this.shapes = new LineShapes(this, foldsLines);
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

  public IntArena arena() {
    return arena;
  }

  AreaTable areas() {
    return areas;
  }

  LineShapes shapes() {
    return shapes;
  }

  /** What stands for the line of an address in the shadow. */
  public int line(long address) {
    return areas.find(address).lines[ShadowArea.line(address)];
  }

  /** Something else stands for the line from now on. */
  public void setLine(long address, int block) {
    areas.at(address).lines[ShadowArea.line(address)] = block;
  }

  /** The array that holds a word; its place there is {@link #at}. */
  public int[] chunk(int word) {
    return arena.chunk(word);
  }

  public static int at(int word) {
    return IntArena.at(word);
  }

  /** The word of an address, made where there was none. */
  int word(ShadowArea area, long address) {
    int line = ShadowArea.line(address);
    int block = area.lines[line];
    if (block <= 0) {
      block =
          block == ShadowArea.ABSENT ? arena.allocate(Word.LINE_LOG2) : shapes.spread(area, line);
      area.lines[line] = block;
    }
    return Word.inLine(block, address);
  }

  /** The one word of a whole line, or 0 where the line has words of its own. */
  int lineWord(ShadowArea area, long address) {
    int line = ShadowArea.line(address);
    int block = area.lines[line];
    if (block > 0) {
      return 0;
    }
    if (block == ShadowArea.ABSENT) {
      block = -arena.allocate(Word.LOG2);
      area.lines[line] = block;
      arena.chunk(-block)[IntArena.at(-block) + Word.MASKS] = Word.WHOLE_LINE;
    }
    return -block;
  }

  /** The area of an address, or {@link ShadowArea#NONE}. */
  ShadowArea area(long address) {
    return areas.find(address);
  }

  void newVersion(int[] a, int w) {
    int version = Word.version(a, w);
    if (version == Word.VERSION_LIMIT) {
      loads.forgetVersions(a, w);
      version = 0;
    }
    Word.setVersion(a, w, version + 1);
  }

  /** Forgets all that is known of some bytes of a word; open windows end without trace. */
  void clear(int word, int mask) {
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
    Word.markOpen(a, w, word, a[w + Word.OPEN] != 0);
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
  void dropLine(ShadowArea area, int line) {
    int block = area.lines[line];
    arena.release(Math.abs(block), block < 0 ? Word.LOG2 : Word.LINE_LOG2);
    area.lines[line] = ShadowArea.ABSENT;
  }

  /** What is told of every line by {@link #forEachLine}. */
  public interface LineVisitor {
    void visit(long line, int block);
  }

  /** Every line that anything is known of, and what stands for it. */
  public void forEachLine(LineVisitor visitor) {
    areas.forEach(
        area -> {
          for (int i = 0; i < area.lines.length; i++) {
            if (area.lines[i] != ShadowArea.ABSENT) {
              visitor.visit(area.lineAddress(i), area.lines[i]);
            }
          }
        });
  }

  /** What is told of every word by {@link #forEachWord}. */
  public interface WordVisitor {
    void visit(int[] a, int w);
  }

  /** Lines that are known by other means than words are passed over. */
  public void forEachWord(WordVisitor visitor) {
    areas.forEach(
        area -> {
          for (int block : area.lines) {
            for (int i = 0; i < (!ShadowArea.hasWords(block) ? 0 : block < 0 ? 1 : 8); i++) {
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
}
