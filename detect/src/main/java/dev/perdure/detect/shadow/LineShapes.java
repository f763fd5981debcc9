package dev.perdure.detect.shadow;

import java.util.Arrays;

/**
 * Changes the shape of lines: from one word for all of it to eight, and back where a thread has
 * filled a new line word by word, as programs do that initialise large structures.
 */
final class LineShapes {
  /** The version of a word after its first store, where an allocation may have come before. */
  private static final int FIRST_STORE = 2;

  /** The version of a line that was folded: it is never folded again. */
  private static final int FOLDED = FIRST_STORE + 1;

  /** More windows would take as much memory as the words do. */
  private static final int MOST_WINDOWS = 2;

  private final ShadowPm shadow;
  private final boolean folds;
  private final int[] kept = new int[MOST_WINDOWS];
  private final int[] masks = new int[MOST_WINDOWS];
  private final long[] values = new long[8];
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

  /** All words of the line have open windows now: one word does for them if they are alike. */
  void fold(long address) {
    ShadowArea area = shadow.area(address);
    int line = ShadowArea.line(address);
    int block = area.lines[line];
    if (!folds || !isFresh(block) || !group(block)) {
      return;
    }
    IntArena arena = shadow.arena();
    int owner = arena.chunk(block)[IntArena.at(block) + Word.OWNER];
    releaseOthers(block);
    arena.release(block, Word.LINE_LOG2);
    area.lines[line] = ShadowArea.ABSENT;
    int word = shadow.lineWord(area, address);
    int[] a = arena.chunk(word);
    int w = IntArena.at(word);
    a[w + Word.MASKS] |= 0xff;
    a[w + Word.OWNER] = owner;
    Word.setVersion(a, w, FOLDED);
    Word.markOpen(a, w, word, true);
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

  /** Whether one thread has stored to each word of the line as a whole, and nothing else was. */
  private boolean isFresh(int block) {
    Windows windows = shadow.windows();
    int[] a = shadow.chunk(block);
    int owner = a[ShadowPm.at(block) + Word.OWNER];
    for (int bit = 0; bit < 8; bit++) {
      int w = ShadowPm.at(block + bit * Word.INTS);
      int window = a[w + Word.OPEN];
      if (a[w + Word.RECORDS] != 0
          || !Word.isPrivate(a, w)
          || a[w + Word.OWNER] != owner
          || Word.version(a, w) > FIRST_STORE
          || windows.next(window) != 0
          || windows.mask(window) != 0xff
          || windows.state(window) != Windows.DIRTY
          || windows.is(window, Windows.ALLOCATION)) {
        return false;
      }
    }
    return true;
  }

  /** Finds the different windows of the words, and which words each of them stands for. */
  private boolean group(int block) {
    Windows windows = shadow.windows();
    Arrays.fill(kept, 0);
    Arrays.fill(masks, 0);
    for (int bit = 0; bit < 8; bit++) {
      int window = open(block, bit);
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
      if (window != kept[0] && window != kept[1]) {
        shadow.windows().release(window);
      }
    }
  }

  private int open(int block, int bit) {
    return Word.open(shadow.chunk(block), ShadowPm.at(block + bit * Word.INTS));
  }
}
