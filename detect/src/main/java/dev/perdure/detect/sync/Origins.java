package dev.perdure.detect.sync;

/** Interned pairs of site and stack, so that a record holds one int for both. */
public final class Origins {
  private static final int CACHE = 4096;

  private final LongIndex pairs = new LongIndex();
  private int[] sites = new int[64];
  private int[] stacks = new int[64];
  private final long[] cachedKeys = new long[CACHE];
  private final int[] cachedOrigins = new int[CACHE];

  public int of(int site, int stack) {
    long key = (long) site << 32 | stack & 0xffffffffL;
    int slot = (site * 31 + stack) & CACHE - 1;
    if (cachedKeys[slot] == key && cachedOrigins[slot] != 0) {
      return cachedOrigins[slot] - 1;
    }
    int origin = pairs.add(key);
    sites = LongIndex.fit(sites, origin);
    stacks = LongIndex.fit(stacks, origin);
    sites[origin] = site;
    stacks[origin] = stack;
    cachedKeys[slot] = key;
    cachedOrigins[slot] = origin + 1;
    return origin;
  }

  public int site(int origin) {
    return sites[origin];
  }

  public int stack(int origin) {
    return stacks[origin];
  }

  public int size() {
    return pairs.size();
  }
}
