package dev.perdure.fuzz.coverage;

import dev.perdure.trace.event.Event;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.BitSet;

/** The PM alias pairs of one campaign, as bits of a map by their hash. */
public final class AliasPairs extends WordAccesses {
  private static final int MAP_BITS = 1 << 16;
  private static final int MOST_WORDS = 1 << 20;
  private static final int MOST_PERSISTED = 1 << 12;
  private static final long UNPERSISTED = 1L << 40;

  /** The last access of a word: site, thread and state. */
  private final Long2LongOpenHashMap last = new Long2LongOpenHashMap();

  private final Int2IntOpenHashMap threads = new Int2IntOpenHashMap();
  private final BitSet pairs = new BitSet(MAP_BITS);

  public AliasPairs() {
    super(MOST_PERSISTED);
  }

  public BitSet pairs() {
    return pairs;
  }

  @Override
  protected void persisted(long word) {
    long access = last.get(word);
    if ((access & UNPERSISTED) != 0) {
      last.put(word, access & ~UNPERSISTED);
    }
  }

  @Override
  protected void access(Event e, long word, boolean load, boolean store) {
    long before = last.get(word);
    if (before == 0 && last.size() >= MOST_WORDS) {
      return;
    }
    long state = store ? UNPERSISTED : before & UNPERSISTED;
    long now = state | (long) number(e.thread()) << 32 | e.site() & 0xffffffffL;
    if (before != 0 && thread(before) != thread(now)) {
      long hash = (before * 0x9E3779B97F4A7C15L ^ now) * 0xC2B2AE3D27D4EB4FL;
      pairs.set((int) (hash >>> 48) & MAP_BITS - 1);
    }
    last.put(word, now);
  }

  private static long thread(long access) {
    return access >>> 32 & 0xff;
  }

  /** Threads by their first access, so that numbers compare between campaigns. */
  private int number(int thread) {
    int known = threads.get(thread);
    if (known == 0) {
      known = Math.min(threads.size() + 1, 0xff);
      threads.put(thread, known);
    }
    return known;
  }
}
