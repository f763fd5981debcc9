package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.coverage.WordAccesses;
import dev.perdure.trace.event.Event;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArraySet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds loads whose word the thread accesses again soon after, at another place or next of all:
 * what it has read first it may act upon, and another thread's store in between makes that out of
 * date. A load that is followed by one of another word at the same place only looks for something.
 * Words that are changed by atomic operations are left out: these look and change at once.
 */
public final class Rechecks extends WordAccesses {
  private static final int MOST_WORDS = 1 << 16;
  private static final int MOST_SITES = 32;
  private static final int MOST_PERSISTED = 0;

  /** Accesses of PM by the thread: within one operation, mostly. */
  private static final int SOON = 64;

  private final Long2ObjectOpenHashMap<Word> words = new Long2ObjectOpenHashMap<>();
  private final Int2ObjectOpenHashMap<Accessor> threads = new Int2ObjectOpenHashMap<>();
  private final Set<Meeting> overtaken = new HashSet<>();
  private Accessor current = new Accessor(-1);

  /** What threads did with a word; sites as {@code thread << 32 | site}. */
  private static final class Word {
    final LongSet stores = new LongArraySet(2);
    final LongSet rechecked = new LongArraySet(2);
    Load loads;
    long lastStore;
    boolean atomic;
  }

  /** The last load of a word by a thread. */
  private static final class Load {
    final int thread;
    final long word;
    final Load next;
    int site;
    int number;
    boolean actedUpon;
    boolean outOfDate;

    Load(int thread, long word, Load next) {
      this.thread = thread;
      this.word = word;
      this.next = next;
    }
  }

  /** How many accesses a thread has made, and its last one, if that was a load. */
  private static final class Accessor {
    final int thread;
    int accesses;
    Load last;

    Accessor(int thread) {
      this.thread = thread;
    }
  }

  public Rechecks() {
    super(MOST_PERSISTED);
  }

  @Override
  public void casFailed(Event e) {
    access(e, e.address() & -8, true, true);
  }

  @Override
  protected void persisted(long word) {}

  @Override
  protected void access(Event e, long address, boolean load, boolean store) {
    Accessor thread = accessor(e.thread());
    int number = ++thread.accesses;
    if (thread.last != null) {
      thread.last.actedUpon = thread.last.site != e.site() || thread.last.word == address;
      thread.last = null;
    }
    Word word = words.get(address);
    if (word == null) {
      if (words.size() >= MOST_WORDS || e.site() == 0) {
        return;
      }
      word = new Word();
      words.put(address, word);
    }
    word.atomic |= load && store;
    Load last = lastOf(word, e.thread());
    if (last != null && last.actedUpon && looksAgain(last, e, number)) {
      recheck(word, last);
    }
    if (store) {
      stored(word, (long) e.thread() << 32 | e.site());
    } else {
      thread.last = loaded(word, last, e, number);
    }
  }

  /** Events of a thread come several in a row. */
  private Accessor accessor(int thread) {
    if (current.thread != thread) {
      current = threads.computeIfAbsent(thread, Accessor::new);
    }
    return current;
  }

  private static boolean looksAgain(Load first, Event e, int number) {
    int since = number - first.number;
    return first.site == e.site() ? since == 1 : since <= SOON;
  }

  private static Load lastOf(Word word, int thread) {
    Load load = word.loads;
    while (load != null && load.thread != thread) {
      load = load.next;
    }
    return load;
  }

  private void recheck(Word word, Load first) {
    if (word.rechecked.size() < MOST_SITES) {
      word.rechecked.add((long) first.thread << 32 | first.site);
    }
    if (first.outOfDate && !word.atomic) {
      overtaken.add(new Meeting(first.site, (int) word.lastStore));
    }
  }

  private static void stored(Word word, long key) {
    word.lastStore = key;
    if (word.stores.size() < MOST_SITES) {
      word.stores.add(key);
    }
    for (Load load = word.loads; load != null; load = load.next) {
      load.outOfDate = load.thread != (int) (key >>> 32);
    }
  }

  private static Load loaded(Word word, Load last, Event e, int number) {
    Load load = last;
    if (load == null) {
      load = new Load(e.thread(), e.address() & -8, word.loads);
      word.loads = load;
    }
    load.site = e.site();
    load.number = number;
    load.actedUpon = false;
    load.outOfDate = false;
    return load;
  }

  /** Loads that a store by another thread came upon before the thread looked again. */
  public Set<Meeting> overtaken() {
    return overtaken;
  }

  /** Loads and the stores that could. */
  public Set<Meeting> overtakable() {
    Set<Meeting> pairs = new HashSet<>();
    for (Word word : words.values()) {
      if (word.atomic) {
        continue;
      }
      for (long load : word.rechecked) {
        for (long store : word.stores) {
          if (load >>> 32 != store >>> 32) {
            pairs.add(new Meeting((int) load, (int) store));
          }
        }
      }
    }
    return pairs;
  }
}
