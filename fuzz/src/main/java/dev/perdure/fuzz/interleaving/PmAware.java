package dev.perdure.fuzz.interleaving;

import dev.perdure.fuzz.area.AreaLayout;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.area.SyncPoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * PMRace: takes the entries of shared words by their frequency and drives readers of an entry to
 * where a writer has stored and not yet flushed. Loads that waited in vain skip more of their
 * executions the next time.
 */
public final class PmAware implements Strategy {
  private static final Duration READER_WAIT = Duration.ofMillis(120);
  private static final int MOST_ATTEMPTS = 4;

  private final Duration writerWait;
  private final Deque<SharedAccess> queue = new ArrayDeque<>();
  private final Set<Set<Integer>> known = new HashSet<>();
  private final Map<Integer, Integer> skips = new HashMap<>();
  private final Map<SharedAccess, Integer> attempts = new HashMap<>();
  private SharedAccess current;

  public PmAware(Duration writerWait) {
    this.writerWait = writerWait;
  }

  @Override
  public void learn(List<SharedAccess> entries) {
    for (SharedAccess entry : entries) {
      Set<Integer> sites = new HashSet<>(entry.loads());
      entry.stores().forEach(site -> sites.add(-site));
      if (known.add(sites)) {
        queue.add(entry);
      }
    }
  }

  @Override
  public Optional<Schedule> next(long seed) {
    current = queue.poll();
    if (current == null) {
      return Optional.empty();
    }
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
    int tried = attempts.merge(current, 1, Integer::sum);
    if (!area.signalled() && tried < MOST_ATTEMPTS) {
      queue.add(current);
    }
  }

  @Override
  public String state() {
    return current == null
        ? "no sync point"
        : "%d loads wait for %d stores, %d entries left"
            .formatted(current.loads().size(), current.stores().size(), queue.size());
  }
}
