package dev.perdure.detect.shadow;

import java.util.Arrays;

/**
 * Changes the shape of lines: from one word for all of it to eight, and back where a thread has
 * filled a new line word by word, or some of its words, as programs do that initialise large
 * structures.
 */
final class LineShapes {
  /** More windows would take about as much memory as the words do. */
  private static final int MOST_WINDOWS = 4;

  private final ShadowPm shadow;
  private final boolean folds;
  private final RecentLines recent = new RecentLines();
  private final int[] kept = new int[MOST_WINDOWS];
  private final int[] masks = new int[MOST_WINDOWS];
  private final long[] values = new long[8];
  private int touched;
  private int owner;
  private int folded;

  LineShapes(ShadowPm shadow, boolean folds) {
    this.shadow = shadow;
    this.folds = folds;
  }

  /** How many lines were folded or lost their words so far: their places are good no more. */
  int folded() {
    return folded;
  }

  /** Takes the words of a line away, of which nothing is known that matters any more. */
  void drop(ShadowArea area, int line) {
    shadow.dropLine(area, line);
    folded++;
  }

  /** Gives each eighth of a line a word of its own. */
  int spread(ShadowArea area, int line) {
    IntArena arena = shadow.arena();
    int from = -area.lines[line];
    int block = arena.allocate(Word.LINE_LOG2);
    int[] source = arena.chunk(from);
    int s = IntArena.at(from);
    int[] a = arena.chunk(block);
    area.lines[line] = block;
    for (int bit = 0; bit < 8; bit++) {
      int word = block + bit * Word.INTS;
      int w = IntArena.at(word);
      long address = area.lineAddress(line) + 8L * bit;
      int touched = Word.touched(source, s) >>> bit & 1;
      int shared = Word.shared(source, s) >>> bit & 1;
      a[w + Word.MASKS] |= touched * 0xff | shared * 0xff << Word.SHARED_SHIFT;
      Word.setVersion(a, w, Word.version(source, s));
      a[w + Word.OWNER] = shadow.ownership().owner(source, s, bit);
      shadow.loads().spread(source, s, bit, a, w);
      shadow.closed().spread(source, s, bit, a, w, address);
      spreadOpen(source[s + Word.OPEN], bit, a, w, word, address);
      Word.markOpen(a, w, word, a[w + Word.OPEN] != 0);
    }
    shadow.clear(from, 0xff);
    arena.release(from, Word.LOG2);
    return block;
  }

  private void spreadOpen(int first, int bit, int[] a, int w, int word, long address) {
    Windows windows = shadow.windows();
    for (int window = first; window != 0; window = windows.next(window)) {
      if ((windows.mask(window) & 1 << bit) == 0) {
        continue;
      }
      int part = windows.copy(window);
      windows.setMask(part, 0xff);
      windows.setFolded(part, false);
      windows.moveTo(part, address);
      shadow.values().spread(windows, part, bit);
      windows.setNext(part, a[w + Word.OPEN]);
      a[w + Word.OPEN] = part;
      if (windows.state(part) == Windows.PENDING) {
        shadow.pending().inherit(part, windows.stamp(part), word, window, windows.stamp(window));
      }
    }
  }

  /** The line got its first words; an older one is folded, if one word does for all of it. */
  void madeFirst(long line) {
    long oldest = folds ? recent.replaceOldest(line) : RecentLines.NONE;
    if (oldest != RecentLines.NONE && oldest != line) {
      fold(oldest);
    }
  }

  private void fold(long address) {
    ShadowArea area = shadow.area(address);
    int line = ShadowArea.line(address);
    int block = area.lines[line];
    if (block <= 0 || ShadowArea.isUnmade(block) || !isSimple(block) || !group(block)) {
      return;
    }
    releaseOthers(block);
    shadow.arena().release(block, Word.LINE_LOG2);
    area.lines[line] = ShadowArea.ABSENT;
    int word = shadow.lineWord(area, address);
    int[] a = shadow.chunk(word);
    int w = ShadowPm.at(word);
    a[w + Word.MASKS] |= touched;
    a[w + Word.OWNER] = owner;
    // No load is recorded there that could count as checked.
    Word.setVersion(a, w, 1);
    Word.markOpen(a, w, word, kept[0] != 0);
    for (int i = 0; i < MOST_WINDOWS && kept[i] != 0; i++) {
      keep(kept[i], masks[i], area.lineAddress(line), a, w);
    }
    folded++;
  }

  private void keep(int window, int mask, long address, int[] a, int w) {
    Windows windows = shadow.windows();
    windows.setMask(window, mask);
    windows.setFolded(window, true);
    windows.moveTo(window, address);
    shadow.values().set(windows, window, values, mask);
    windows.setNext(window, a[w + Word.OPEN]);
    a[w + Word.OPEN] = window;
  }

  /**
   * Whether no word is in need of a state of its own: each was touched as a whole, all by the same
   * thread, or not at all, and has one window that is not flushed, or none.
   */
  private boolean isSimple(int block) {
    touched = 0;
    for (int bit = 0; bit < 8; bit++) {
      int[] a = shadow.chunk(block);
      int w = ShadowPm.at(block + bit * Word.INTS);
      if (!Word.isUntouched(a, w)) {
        if (!Word.isPrivate(a, w) || touched != 0 && a[w + Word.OWNER] != owner) {
          return false;
        }
        touched |= 1 << bit;
        owner = a[w + Word.OWNER];
      }
      if (a[w + Word.RECORDS] != 0 || !isSimpleWindow(a[w + Word.OPEN])) {
        return false;
      }
    }
    return true;
  }

  private boolean isSimpleWindow(int window) {
    Windows windows = shadow.windows();
    return window == 0
        || windows.next(window) == 0
            && windows.mask(window) == 0xff
            && windows.state(window) == Windows.DIRTY;
  }

  /** Finds the different windows of the words, and which words each of them stands for. */
  private boolean group(int block) {
    Windows windows = shadow.windows();
    Arrays.fill(kept, 0);
    Arrays.fill(masks, 0);
    for (int bit = 0; bit < 8; bit++) {
      int window = open(block, bit);
      if (window == 0) {
        continue;
      }
      int g = 0;
      while (g < MOST_WINDOWS && kept[g] != 0 && !windows.tellTheSame(kept[g], window)) {
        g++;
      }
      if (g == MOST_WINDOWS) {
        return false;
      }
      kept[g] = kept[g] == 0 ? window : kept[g];
      masks[g] |= 1 << bit;
      values[bit] = windows.value(window);
    }
    return true;
  }

  private void releaseOthers(int block) {
    for (int bit = 0; bit < 8; bit++) {
      int window = open(block, bit);
      if (window != 0 && !isKept(window)) {
        shadow.windows().release(window);
      }
    }
  }

  private boolean isKept(int window) {
    for (int k : kept) {
      if (k == window) {
        return true;
      }
    }
    return false;
  }

  private int open(int block, int bit) {
    return Word.open(shadow.chunk(block), ShadowPm.at(block + bit * Word.INTS));
  }
}
