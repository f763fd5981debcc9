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
import java.util.TreeSet;

/**
 * PMRace: takes the entries of shared words by their frequency and drives readers of an entry to
 * where a writer has stored and not yet flushed. The first store of an entry ends the waiting, so
 * an entry with several of them is also tried with each alone. Loads that waited in vain skip more
 * of their executions the next time.
 *
 * <p>An entry has many loads and stores, and the frequent ones meet first; and a store need not be
 * to the word that a reader is about to load. So every second schedule is for one store and the
 * loads that share a word with it and have not met it yet, with any input: they wait for a store to
 * just the word that they load, all of them or one; or nobody waits, since a reader that holds a
 * lock would keep the writer from it, and the writer alone gives readers time.
 */
public final class PmAware implements Strategy {
  private static final Duration READER_WAIT = Duration.ofMillis(120);
  private static final int MOST_ATTEMPTS = 4;
  private static final int MOST_ATTEMPTS_TO_MEET = 12;

  private final Duration writerWait;
  private final Set<Meeting> met = new HashSet<>();
  private final Map<Integer, Integer> attemptsToMeet = new HashMap<>();
  private final Map<Integer, Set<Integer>> loadsOf = new LinkedHashMap<>();
  private final Map<Sites, Waiting> queue = new LinkedHashMap<>();
  private final Map<Integer, Integer> skips = new HashMap<>();
  private boolean meetingIsDue;
  private SharedAccess current = new SharedAccess(Set.of(), Set.of(), 0);

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
    loadsOf.clear();
    skips.clear();
  }

  @Override
  public boolean learn(List<SharedAccess> entries, Set<Meeting> nowMet) {
    boolean news = met.addAll(nowMet);
    for (SharedAccess entry : entries) {
      for (int store : entry.stores()) {
        loadsOf.computeIfAbsent(store, s -> new TreeSet<>()).addAll(entry.loads());
      }
      queue.putIfAbsent(Sites.of(entry), new Waiting(entry, 0, false));
      entry
          .singleStores()
          .forEach(single -> queue.putIfAbsent(Sites.of(single), new Waiting(single, 0, false)));
    }
    return news;
  }

  @Override
  public Optional<Schedule> next(long seed) {
    Optional<Integer> store = meetingIsDue ? leastTried() : Optional.empty();
    meetingIsDue = !meetingIsDue;
    if (store.isPresent()) {
      int attempts = attemptsToMeet.merge(store.get(), 1, Integer::sum) - 1;
      current = new SharedAccess(waiting(store.get(), attempts), Set.of(store.get()), 0);
      return Optional.of(schedule(seed, true));
    }
    Optional<Waiting> first =
        queue.values().stream()
            .filter(w -> !w.done)
            .min(
                Comparator.comparingInt(Waiting::attempts)
                    .thenComparing(w -> met.containsAll(meetings(w.entry)))
                    .thenComparing(w -> -w.entry.count()));
    if (first.isEmpty()) {
      return Optional.empty();
    }
    current = first.get().entry;
    int attempts = first.get().attempts;
    queue.put(Sites.of(current), new Waiting(current, attempts + 1, true));
    return Optional.of(schedule(seed, attempts % 2 == 1));
  }

  private Set<Integer> waiting(int store, int attempts) {
    List<Integer> loads = unmet(store);
    return switch (attempts % 3) {
      case 0 -> new HashSet<>(loads);
      case 1 -> Set.of();
      default -> Set.of(loads.get(attempts / 3 % loads.size()));
    };
  }

  /** A store of this input that some load has not met yet. */
  private Optional<Integer> leastTried() {
    return loadsOf.keySet().stream()
        .filter(s -> attempts(s) < MOST_ATTEMPTS_TO_MEET && !unmet(s).isEmpty())
        .min(Comparator.comparingInt(this::attempts));
  }

  private List<Integer> unmet(int store) {
    return loadsOf.get(store).stream().filter(l -> !met.contains(new Meeting(l, store))).toList();
  }

  private int attempts(int store) {
    return attemptsToMeet.getOrDefault(store, 0);
  }

  private Schedule schedule(long seed, boolean sameWord) {
    List<SyncPoint> points = new ArrayList<>();
    for (int site : current.loads()) {
      points.add(new SyncPoint(site, true, skips.getOrDefault(site, 0)));
    }
    for (int site : current.stores()) {
      points.add(new SyncPoint(site, false, 0));
    }
    return new Schedule(
        AreaLayout.STRATEGY_SYNC_POINTS,
        seed,
        writerWait,
        READER_WAIT,
        Duration.ZERO,
        sameWord,
        List.of(),
        points);
  }

  /** An entry whose store did not come while readers waited is tried again, later. */
  @Override
  public void explored(Schedule schedule, ExplorationArea area) {
    for (int site : area.disabledLoads()) {
      skips.merge(site, 1, Integer::sum);
    }
    Sites sites = Sites.of(current);
    Waiting waiting = queue.get(sites);
    if (waiting == null || !waiting.done) {
      return;
    }
    boolean again = !area.signalled() && waiting.attempts < MOST_ATTEMPTS;
    queue.put(sites, new Waiting(current, waiting.attempts, !again));
  }

  private static List<Meeting> meetings(SharedAccess entry) {
    List<Meeting> meetings = new ArrayList<>();
    entry.loads().forEach(l -> entry.stores().forEach(s -> meetings.add(new Meeting(l, s))));
    return meetings;
  }

  @Override
  public String state() {
    return current.stores().isEmpty()
        ? "no sync point"
        : "%d loads wait for %d stores, %d entries left"
            .formatted(
                current.loads().size(),
                current.stores().size(),
                queue.values().stream().filter(w -> !w.done).count());
  }
}
