package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.area.AreaLayout;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.area.SyncPoint;
import dev.perdure.fuzz.area.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * PMRace: takes the entries of shared words by their frequency and drives readers of an entry to
 * where a writer has stored and not yet flushed. The first store of an entry ends the waiting, so
 * an entry with several of them is also tried with each alone. Loads that waited in vain skip more
 * of their executions the next time.
 *
 * <p>An entry has many loads and stores, and the frequent ones meet first; and a store need not be
 * to the word that a reader is about to load. So every second schedule is for one store and loads
 * that share a word with it, with any input. In turn, these are loads that have not met the store
 * yet: they wait for a store to just the word that they load, all of them or one; or nobody waits,
 * since a reader that holds a lock would keep the writer from it, and the writer alone gives
 * readers time. And they are loads of words that the thread will look at again: they wait behind
 * the load until the store has made out of date what they returned, some of their executions being
 * skipped (atomicity violations, as CTrigger forces them).
 */
public final class PmAware implements Strategy {
  private static final Duration READER_WAIT = Duration.ofMillis(120);
  private static final int MOST_ATTEMPTS = 4;
  private static final int MOST_ATTEMPTS_TO_MEET = 12;
  private static final int MOST_ATTEMPTS_TO_OVERTAKE = 64;
  private static final int ENOUGH_OVERTAKINGS = 4;
  private static final int MOST_SKIP_DOUBLINGS = 5;
  private static final int TURNS = 4;

  private final Duration writerWait;
  private final PairGoals meetings = new PairGoals(1, MOST_ATTEMPTS_TO_MEET, true);
  private final PairGoals overtakings =
      new PairGoals(ENOUGH_OVERTAKINGS, MOST_ATTEMPTS_TO_OVERTAKE, false);
  private final Map<Sites, Waiting> queue = new LinkedHashMap<>();
  private final Map<Integer, Integer> skips = new HashMap<>();
  private int turn;
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
    meetings.begin();
    overtakings.begin();
    skips.clear();
  }

  @Override
  public boolean learn(Sharing sharing) {
    boolean news = meetings.reached(sharing.met()) | overtakings.reached(sharing.overtaken());
    sharing.overtakable().forEach(p -> overtakings.want(p.store(), Set.of(p.load())));
    for (SharedAccess entry : sharing.entries()) {
      entry.stores().forEach(store -> meetings.want(store, entry.loads()));
      queue.putIfAbsent(Sites.of(entry), new Waiting(entry, 0, false));
      entry
          .singleStores()
          .forEach(single -> queue.putIfAbsent(Sites.of(single), new Waiting(single, 0, false)));
    }
    return news;
  }

  @Override
  public Optional<Schedule> next(long seed) {
    return switch (turn++ % TURNS) {
      case 1 -> meeting(seed).or(() -> fromQueue(seed));
      case 3 -> overtaking(seed).or(() -> fromQueue(seed));
      default -> fromQueue(seed);
    };
  }

  private Optional<Schedule> meeting(long seed) {
    return meetings.next().map(pair -> schedule(pair, seed, Waits.FOR_THEIR_WORD));
  }

  private Optional<Schedule> overtaking(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return overtakings
        .next()
        .map(
            pair ->
                schedule(
                    pair,
                    seed,
                    Waits.BEHIND_LOADS,
                    site -> random.nextInt(1 << random.nextInt(MOST_SKIP_DOUBLINGS))));
  }

  private Optional<Schedule> fromQueue(long seed) {
    Optional<Waiting> first =
        queue.values().stream()
            .filter(w -> !w.done)
            .min(
                Comparator.comparingInt(Waiting::attempts)
                    .thenComparing(w -> meetings.wereReached(w.entry.pairs()))
                    .thenComparing(w -> -w.entry.count()));
    if (first.isEmpty()) {
      return Optional.empty();
    }
    SharedAccess entry = first.get().entry;
    int attempts = first.get().attempts;
    queue.put(Sites.of(entry), new Waiting(entry, attempts + 1, true));
    return Optional.of(
        schedule(entry, seed, attempts % 2 == 1 ? Waits.FOR_THEIR_WORD : Waits.FOR_ANY_STORE));
  }

  private Schedule schedule(SharedAccess entry, long seed, Waits waits) {
    return schedule(entry, seed, waits, site -> skips.getOrDefault(site, 0));
  }

  private Schedule schedule(SharedAccess entry, long seed, Waits waits, IntUnaryOperator skip) {
    current = entry;
    List<SyncPoint> points = new ArrayList<>();
    for (int site : current.loads()) {
      points.add(new SyncPoint(site, true, skip.applyAsInt(site)));
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
        waits,
        List.of(),
        points);
  }

  /** An entry whose store did not come while readers waited is tried again, later. */
  @Override
  public void explored(Schedule schedule, ExplorationArea area) {
    if (schedule.waits() != Waits.BEHIND_LOADS) {
      area.disabledLoads().forEach(site -> skips.merge(site, 1, Integer::sum));
    }
    Sites sites = Sites.of(current);
    Waiting waiting = queue.get(sites);
    if (waiting == null || !waiting.done) {
      return;
    }
    boolean again = !area.signalled() && waiting.attempts < MOST_ATTEMPTS;
    queue.put(sites, new Waiting(current, waiting.attempts, !again));
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
