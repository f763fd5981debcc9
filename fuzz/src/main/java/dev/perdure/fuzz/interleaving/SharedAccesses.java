package dev.perdure.fuzz.interleaving;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects which sites of a campaign access the same words of PM from different threads. */
public final class SharedAccesses implements EventHandler {
  private static final int MOST_WORDS = 1 << 18;
  private static final int MOST_SITES = 32;

  private final Long2ObjectOpenHashMap<Accesses> words = new Long2ObjectOpenHashMap<>();

  /** Loads and stores as {@code thread << 32 | site}. */
  private static final class Accesses {
    final Set<Long> loads = new HashSet<>(4);
    final Set<Long> stores = new HashSet<>(4);
    long count;
  }

  private record Sites(Set<Integer> loads, Set<Integer> stores) {}

  @Override
  public void load(Event e) {
    note(e, true, false);
  }

  @Override
  public void casFailed(Event e) {
    note(e, true, false);
  }

  @Override
  public void store(Event e) {
    note(e, false, true);
  }

  @Override
  public void storeNt(Event e) {
    note(e, false, true);
  }

  @Override
  public void rmw(Event e) {
    note(e, true, true);
  }

  private void note(Event e, boolean load, boolean store) {
    long word = e.address() & -8;
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
    if (store && accesses.stores.size() < MOST_SITES) {
      accesses.stores.add(key);
    }
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
