package dev.perdure.detect.shadow;

/**
 * Reads what a batch of accesses will need, level by level, before they are carried out one by one.
 * The shadow of a large table does not fit into the caches, and each access would wait for several
 * cache lines that depend on one another; reading them for many accesses at once, in loops so short
 * that the processor has many rounds of them under way, makes the waits overlap. Words that have
 * been found stay where they are until memory is allocated or freed, or a line is folded.
 */
public final class WordLookup {
  private static final int CACHE_LINE = 16;

  private final ShadowPm shadow;
  private final int[] words;
  private final int[] found;
  private final int[] unmade;
  private int count;
  private int unmadeCount;
  private int folded;

  /** Depends on all that was read, so that reading is not optimised away. */
  private int sum;

  public WordLookup(ShadowPm shadow, int capacity) {
    this.shadow = shadow;
    this.words = new int[capacity];
    this.found = new int[capacity];
    this.unmade = new int[capacity];
  }

  /** Starts a batch. */
  public void clear() {
    count = 0;
    unmadeCount = 0;
    folded = shadow.shapes().folded();
  }

  /** Looks the word of an address up. */
  public void find(int i, long address) {
    int block = shadow.line(address);
    if (ShadowArea.isUnmade(block)) {
      words[i] = 0;
      if (unmadeCount == 0 || unmade[unmadeCount - 1] != block) {
        unmade[unmadeCount++] = block;
      }
    } else if (block > 0) {
      int word = Word.inLine(block, address);
      words[i] = word;
      found[count++] = word;
    } else {
      words[i] = 0;
    }
  }

  /** There is no word to be found. */
  public void skip(int i) {
    words[i] = 0;
  }

  /**
   * Reads the words that were found, their records, and the windows that stores will take; of lines
   * that are known by other means, the first two cache lines.
   */
  public void read(int stores) {
    IntArena arena = shadow.arena();
    int s = shadow.windows().peek(stores);
    for (int k = 0; k < unmadeCount; k++) {
      int block = unmade[k] - 1;
      int[] c = arena.chunk(block);
      int first = IntArena.at(block);
      s += c[first] + c[first + CACHE_LINE];
    }
    int n = count;
    int[] f = found;
    for (int k = 0; k < n; k++) {
      int word = f[k];
      f[k] = arena.chunk(word)[IntArena.at(word) + Word.RECORDS];
    }
    for (int k = 0; k < n; k++) {
      int[] c = arena.chunk(f[k]);
      int first = IntArena.at(f[k]);
      s += c[first] + c[Math.min(first + CACHE_LINE, c.length - 1)];
    }
    sum += s;
  }

  int word(int i) {
    return folded == shadow.shapes().folded() ? words[i] : 0;
  }
}
