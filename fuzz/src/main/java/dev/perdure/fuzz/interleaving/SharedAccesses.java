package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.coverage.WordAccesses;
import dev.perdure.trace.event.Event;
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
 * of them met while the word was unpersisted.
 */
public final class SharedAccesses extends WordAccesses {
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

  public SharedAccesses() {
    super(MOST_BYTES);
  }

  private record Sites(Set<Integer> loads, Set<Integer> stores) {}

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
  protected void persisted(long word) {
    Accesses accesses = words.get(word);
    if (accesses != null) {
      accesses.unpersisted = 0;
    }
  }

  private void block(Event e, boolean store) {
    long end = e.address() + Math.min(e.value(), MOST_BYTES);
    for (long word = e.address() & -8; word < end; word += 8) {
      access(e, word, !store, store);
    }
  }

  @Override
  protected void access(Event e, long word, boolean load, boolean store) {
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
