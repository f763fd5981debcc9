package dev.perdure.fuzz.interleaving;

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
 * Loads and stores that are to come together in some way, and how often that was tried and came
 * about. One store is tried at a time, with all loads that still wait for it, or with one of them;
 * pairs that never came together go first.
 */
final class PairGoals {
  private final int enough;
  private final int mostAttempts;
  private final boolean alsoWithoutWaiting;
  private final Map<Meeting, Integer> reached = new HashMap<>();
  private final Map<Integer, Integer> attempts = new HashMap<>();
  private final Map<Integer, Set<Integer>> loadsOf = new LinkedHashMap<>();

  /**
   * @param enough how often a pair is to come together
   * @param mostAttempts for one store
   * @param alsoWithoutWaiting whether every third attempt lets no load wait
   */
  PairGoals(int enough, int mostAttempts, boolean alsoWithoutWaiting) {
    this.enough = enough;
    this.mostAttempts = mostAttempts;
    this.alsoWithoutWaiting = alsoWithoutWaiting;
  }

  /** A new input: what it can bring together must be learned again. */
  void begin() {
    loadsOf.clear();
  }

  void want(int store, Set<Integer> loads) {
    loadsOf.computeIfAbsent(store, s -> new TreeSet<>()).addAll(loads);
  }

  /** These came together in a campaign; returns whether one of them did for the first time. */
  boolean reached(Set<Meeting> pairs) {
    boolean first = false;
    for (Meeting pair : pairs) {
      first |= reached.merge(pair, 1, Integer::sum) == 1;
    }
    return first;
  }

  boolean wereReached(List<Meeting> pairs) {
    return reached.keySet().containsAll(pairs);
  }

  /** The store that was tried least, and the loads that are to wait for it. */
  Optional<SharedAccess> next() {
    return next(1).or(() -> next(enough));
  }

  private Optional<SharedAccess> next(int times) {
    Optional<Integer> store =
        loadsOf.keySet().stream()
            .filter(s -> tried(s) < mostAttempts && !missing(s, times).isEmpty())
            .min(Comparator.comparingInt(this::tried));
    return store.map(
        s -> {
          int attempt = attempts.merge(s, 1, Integer::sum) - 1;
          return new SharedAccess(waiting(missing(s, times), attempt), Set.of(s), 0);
        });
  }

  private Set<Integer> waiting(List<Integer> loads, int attempt) {
    int ways = alsoWithoutWaiting ? 3 : 2;
    if (attempt % ways == 0) {
      return new HashSet<>(loads);
    }
    boolean nobody = alsoWithoutWaiting && attempt % ways == 1;
    return nobody ? Set.of() : Set.of(loads.get(attempt / ways % loads.size()));
  }

  private List<Integer> missing(int store, int times) {
    return loadsOf.get(store).stream()
        .filter(l -> reached.getOrDefault(new Meeting(l, store), 0) < times)
        .toList();
  }

  private int tried(int store) {
    return attempts.getOrDefault(store, 0);
  }
}
