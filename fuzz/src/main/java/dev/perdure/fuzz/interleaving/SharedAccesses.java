package dev.perdure.fuzz.interleaving;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArraySet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects which sites of a campaign access the same words of PM from different threads, and which
 * of them met while the word was unpersisted. A flush persists, as in the paper.
 */
public final class SharedAccesses implements EventHandler {
  private static final int MOST_WORDS = 1 << 18;
  private static final int MOST_SITES = 32;

  /** Of a copy or a fill; what lies behind is left out. */
  private static final int MOST_BYTES = 1024;

  private final Long2ObjectOpenHashMap<Accesses> words = new Long2ObjectOpenHashMap<>();
  private final Set<Meeting> met = new HashSet<>();

  /** Loads and stores as {@code thread << 32 | site}. */
  private static final class Accesses {
    final LongSet loads = new LongArraySet(2);
    final LongSet stores = new LongArraySet(2);
    long count;

    /** The last store, while it is not persistent; 0 otherwise. */
    long unpersisted;
  }

  private record Sites(Set<Integer> loads, Set<Integer> stores) {}

  @Override
  public void load(Event e) {
    note(e, e.address(), true, false);
  }

  @Override
  public void casFailed(Event e) {
    note(e, e.address(), true, false);
  }

  @Override
  public void store(Event e) {
    note(e, e.address(), false, true);
  }

  @Override
  public void storeNt(Event e) {
    note(e, e.address(), false, true);
  }

  @Override
  public void rmw(Event e) {
    note(e, e.address(), true, true);
  }

  @Override
  public void loadBlock(Event e) {
    block(e, false);
  }

  @Override
  public void storeBlock(Event e) {
    block(e, true);
  }

  @Override
  public void storeNtBlock(Event e) {
    block(e, true);
  }

  @Override
  public void flush(Event e) {
    long line = e.address() & -64;
    persisted(line, line + 64);
  }

  @Override
  public void persist(Event e) {
    persisted(e.address() & -64, e.address() + Math.min(e.value(), MOST_BYTES));
  }

  private void persisted(long from, long to) {
    for (long word = from & -8; word < to; word += 8) {
      Accesses accesses = words.get(word);
      if (accesses != null) {
        accesses.unpersisted = 0;
      }
    }
  }

  private void block(Event e, boolean store) {
    long end = e.address() + Math.min(e.value(), MOST_BYTES);
    for (long word = e.address() & -8; word < end; word += 8) {
      note(e, word, !store, store);
    }
  }

  private void note(Event e, long address, boolean load, boolean store) {
    long word = address & -8;
    Accesses accesses = words.get(word);
    if (accesses == null) {
      if (words.size() >= MOST_WORDS || e.site() == 0) {
        return;
      }
      accesses = new Accesses();
      words.put(word, accesses);
    }
    // What is only exchanged is mostly a lock.
    accesses.count += store ? 0 : 1;
    long key = (long) e.thread() << 32 | e.site();
    if (load && accesses.loads.size() < MOST_SITES) {
      accesses.loads.add(key);
    }
    if (load && accesses.unpersisted != 0 && accesses.unpersisted >>> 32 != e.thread()) {
      met.add(new Meeting(e.site(), (int) accesses.unpersisted));
    }
    if (store) {
      if (accesses.stores.size() < MOST_SITES) {
        accesses.stores.add(key);
      }
      accesses.unpersisted = key;
    }
  }

  /** Loads and stores that met while the word was unpersisted. */
  public Set<Meeting> met() {
    return met;
  }

  /** The entries, those with the most loads first. */
  public List<SharedAccess> entries() {
    Map<Sites, Long> merged = new HashMap<>();
    for (Accesses a : words.values()) {
      Set<Integer> loads = new HashSet<>();
      Set<Integer> stores = new HashSet<>();
      for (long load : a.loads) {
        for (long store : a.stores) {
          if (load >>> 32 != store >>> 32) {
            loads.add((int) load);
            stores.add((int) store);
          }
        }
      }
      if (!loads.isEmpty()) {
        merged.merge(new Sites(loads, stores), a.count, Long::sum);
      }
    }
    List<SharedAccess> entries = new ArrayList<>();
    merged.forEach((sites, n) -> entries.add(new SharedAccess(sites.loads, sites.stores, n)));
    entries.sort(
        Comparator.comparingLong(SharedAccess::count)
            .reversed()
            .thenComparing(e -> e.loads().stream().sorted().toList().toString()));
    return entries;
  }
}
