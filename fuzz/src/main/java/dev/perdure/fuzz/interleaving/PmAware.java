package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.area.AreaLayout;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.area.SyncPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * PMRace: takes the entries of shared words by their frequency and drives readers of an entry to
 * where a writer has stored and not yet flushed. The first store of an entry ends the waiting, so
 * an entry with several of them is also tried with each alone. Entries come first that have a load
 * and a store which no input has brought to that. Loads that waited in vain skip more of their
 * executions the next time.
 */
public final class PmAware implements Strategy {
  private static final Duration READER_WAIT = Duration.ofMillis(120);
  private static final int MOST_ATTEMPTS = 4;

  private final Duration writerWait;
  private final Set<Pair> reached = new HashSet<>();
  private final Map<Sites, Waiting> queue = new LinkedHashMap<>();
  private final Map<Integer, Integer> skips = new HashMap<>();
  private SharedAccess current = new SharedAccess(Set.of(), Set.of(), 0);

  private record Pair(int load, int store) {}

  private record Sites(Set<Integer> loads, Set<Integer> stores) {
    static Sites of(SharedAccess entry) {
      return new Sites(entry.loads(), entry.stores());
    }
  }

  /** An entry of the input's queue, with how often it was tried. */
  private record Waiting(SharedAccess entry, int attempts, boolean done) {}

  public PmAware(Duration writerWait) {
    this.writerWait = writerWait;
  }

  @Override
  public void begin() {
    queue.clear();
    skips.clear();
  }

  @Override
  public void learn(List<SharedAccess> entries) {
    for (SharedAccess entry : entries) {
      queue.putIfAbsent(Sites.of(entry), new Waiting(entry, 0, false));
      entry
          .singleStores()
          .forEach(single -> queue.putIfAbsent(Sites.of(single), new Waiting(single, 0, false)));
    }
  }

  @Override
  public Optional<Schedule> next(long seed) {
    Optional<Waiting> first =
        queue.values().stream()
            .filter(w -> !w.done)
            .min(
                Comparator.comparingInt(Waiting::attempts)
                    .thenComparing(w -> reached.containsAll(pairs(w.entry)))
                    .thenComparing(w -> -w.entry.count()));
    if (first.isEmpty()) {
      return Optional.empty();
    }
    current = first.get().entry;
    queue.put(Sites.of(current), new Waiting(current, first.get().attempts + 1, true));
    List<SyncPoint> points = new ArrayList<>();
    for (int site : current.loads()) {
      points.add(new SyncPoint(site, true, skips.getOrDefault(site, 0)));
    }
    for (int site : current.stores()) {
      points.add(new SyncPoint(site, false, 0));
    }
    return Optional.of(
        new Schedule(
            AreaLayout.STRATEGY_SYNC_POINTS,
            seed,
            writerWait,
            READER_WAIT,
            Duration.ZERO,
            List.of(),
            points));
  }

  /** An entry whose store did not come while readers waited is tried again, later. */
  @Override
  public void explored(Schedule schedule, ExplorationArea area) {
    for (int site : area.disabledLoads()) {
      skips.merge(site, 1, Integer::sum);
    }
    Sites sites = Sites.of(current);
    if (area.signalled() && current.stores().size() == 1) {
      reached.addAll(pairs(current));
    }
    Waiting waiting = queue.get(sites);
    boolean again = !area.signalled() && waiting.attempts < MOST_ATTEMPTS;
    queue.put(sites, new Waiting(current, waiting.attempts, !again));
  }

  private static List<Pair> pairs(SharedAccess entry) {
    List<Pair> pairs = new ArrayList<>();
    entry.loads().forEach(load -> entry.stores().forEach(s -> pairs.add(new Pair(load, s))));
    return pairs;
  }

  @Override
  public String state() {
    return current.loads().isEmpty()
        ? "no sync point"
        : "%d loads wait for %d stores, %d entries left"
            .formatted(
                current.loads().size(),
                current.stores().size(),
                queue.values().stream().filter(w -> !w.done).count());
  }
}
