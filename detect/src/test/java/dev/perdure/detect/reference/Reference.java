package dev.perdure.detect.reference;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.model.finding.Evidence;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The detectors by their definitions: every window against every load, with reachability in an
 * explicit graph. It speaks the language of {@code Trace.describe}.
 */
public final class Reference {
  private final List<Event> events;
  private final DetectionOptions options;
  private final boolean complete;
  private final LockReference locks;
  private final OrderReference order;
  private final PersistenceReference memory;
  private final RegionReference regions;
  private final Map<List<Long>, Integer> sharedSince = new HashMap<>();
  private final Set<String> findings = new TreeSet<>();

  private record Word(int store, int load, long word) {}

  public static Set<String> findings(
      List<Event> events, DetectionOptions options, boolean complete) {
    return new Reference(events, options, complete).findings;
  }

  private Reference(List<Event> events, DetectionOptions options, boolean complete) {
    this.events = events;
    this.options = options;
    this.complete = complete;
    this.locks = new LockReference(events);
    this.order = new OrderReference(events, locks);
    boolean[] exempt = exempt();
    this.memory = new PersistenceReference(events, exempt, locks);
    this.regions = new RegionReference(events, locks, order, memory, exempt, options.starts());
    findSharing();
    findRaces();
    if (options.has(Detector.FLUSH)) {
      findMissing();
      findRedundant("redundant-flush", memory.flushes, memory.flushSites);
      findRedundant("redundant-fence", memory.fences, memory.fenceSites);
    }
  }

  private boolean[] exempt() {
    boolean[] result = new boolean[events.size()];
    Map<Integer, Integer> depth = new HashMap<>();
    for (int i = 0; i < result.length; i++) {
      Event e = events.get(i);
      int step =
          e.kind() == EventKind.RELAXED_BEGIN ? 1 : e.kind() == EventKind.RELAXED_END ? -1 : 0;
      result[i] = depth.merge(e.thread(), step, Integer::sum) > 0;
    }
    return result;
  }

  private void findSharing() {
    Map<List<Long>, Integer> first = new HashMap<>();
    for (var touch : memory.touches) {
      List<Long> key = List.of(touch.address(), (long) touch.life());
      int owner = first.computeIfAbsent(key, k -> touch.thread());
      if (owner != touch.thread()) {
        sharedSince.putIfAbsent(key, touch.time());
      }
    }
  }

  /** Initialisation removal: ended before a second thread touched the byte. */
  private boolean isRemoved(ByteWindow w) {
    int shared = sharedSince.getOrDefault(List.of(w.address, (long) w.life), Integer.MAX_VALUE);
    return options.initRemoval() && w.endTime() < shared;
  }

  private void findRaces() {
    Map<List<Integer>, Set<Evidence>> races = new TreeMap<>((a, b) -> compare(a, b));
    Map<Word, Boolean> observed = new HashMap<>();
    for (ByteWindow w : memory.windows) {
      for (var l : memory.loads) {
        int t1 = events.get(w.store).thread();
        int t2 = events.get(l.event()).thread();
        if (w.exempt || w.address != l.address() || w.life != l.life() || t1 == t2) {
          continue;
        }
        List<Integer> pair = List.of(events.get(w.store).site(), events.get(l.event()).site());
        Set<Evidence> evidence = new HashSet<>();
        if (options.has(Detector.HB) && happensBeforeRace(w, l.event())) {
          evidence.add(Evidence.HAPPENS_BEFORE);
        }
        if (options.has(Detector.REGIONS) && regionsOverlap(w, l.event())) {
          evidence.add(Evidence.REGION_OVERLAP);
        }
        if (options.has(Detector.LOCKSET) && locksetRace(w, l.event())) {
          evidence.add(Evidence.LOCKSET);
        }
        if (isDuring(w, l.event())) {
          boolean equal = !l.known() || w.allocation || w.value == l.value();
          observed.merge(new Word(w.store, l.event(), w.address & -8), equal, Boolean::logicalAnd);
        }
        if (!evidence.isEmpty()) {
          races.computeIfAbsent(pair, p -> EnumSet.noneOf(Evidence.class)).addAll(evidence);
        }
      }
    }
    observed.forEach(
        (word, equal) -> {
          if (equal && options.has(Detector.OBSERVED)) {
            List<Integer> pair =
                List.of(events.get(word.store).site(), events.get(word.load).site());
            races
                .computeIfAbsent(pair, p -> EnumSet.noneOf(Evidence.class))
                .add(Evidence.OBSERVED_READ);
          }
        });
    races.forEach(
        (pair, evidence) ->
            findings.add(
                "persistency-race store=%d load=%d %s"
                    .formatted(
                        pair.get(0),
                        pair.get(1),
                        evidence.stream()
                            .sorted()
                            .map(Evidence::label)
                            .collect(Collectors.joining(",")))));
  }

  private static int compare(List<Integer> a, List<Integer> b) {
    int first = Integer.compare(a.get(0), b.get(0));
    return first != 0 ? first : Integer.compare(a.get(1), b.get(1));
  }

  private static boolean isAfterEnd(ByteWindow w, int load) {
    boolean ended = w.fate == ByteWindow.Fate.PERSISTED || w.fate == ByteWindow.Fate.OVERWRITTEN;
    // A read-modify-write loads before it stores.
    return ended && (w.endedByFence ? load >= w.end : load > w.end);
  }

  private static boolean isDuring(ByteWindow w, int load) {
    return load > w.store && !isAfterEnd(w, load);
  }

  private boolean happensBeforeRace(ByteWindow w, int load) {
    if (load < w.store) {
      return !order.happensBefore(load, w.store);
    }
    if (isDuring(w, load)) {
      return true;
    }
    return !isRemoved(w) && w.end != load && !order.happensBefore(w.end, load);
  }

  /** Vardalith's theorem 3: what overlaps is not ordered. */
  private boolean regionsOverlap(ByteWindow w, int load) {
    boolean overlap = regions.overlap(options.regions(), w, load, isDuring(w, load));
    overlap &= load < w.store || isDuring(w, load) || !isRemoved(w) && w.end != load;
    if (overlap && !happensBeforeRace(w, load)) {
      throw new AssertionError(
          "regions overlap, but the pair is ordered: " + w.store + ", " + load);
    }
    return overlap;
  }

  private boolean locksetRace(ByteWindow w, int load) {
    if (w.fate == ByteWindow.Fate.VANISHED || w.isOpen() && !complete) {
      return false;
    }
    Set<Long> effective = new HashSet<>();
    if (!w.isOpen()) {
      if (isRemoved(w) || w.end == load && w.endedByFence || order.orderedByThreads(w.end, load)) {
        return false;
      }
      if (events.get(w.end).thread() == events.get(w.store).thread()) {
        locks.at(w.end).stream()
            .filter(h -> !h.shared() && h.since() < w.store)
            .forEach(h -> effective.add(h.lock()));
      }
    }
    if (load < w.store && order.orderedByThreads(load, w.store)) {
      return false;
    }
    return locks.at(load).stream().noneMatch(h -> effective.contains(h.lock()));
  }

  private void findMissing() {
    for (ByteWindow w : memory.windows) {
      if (!complete || !w.isOpen() || w.exempt || w.allocation) {
        continue;
      }
      int site = events.get(w.store).site();
      if (w.dirty) {
        findings.add("missing-flush store=" + site);
      } else {
        findings.add("missing-fence store=" + site + (w.flush < 0 ? "" : " persist=" + w.flush));
      }
    }
  }

  private void findRedundant(String kind, List<boolean[]> needed, List<Integer> sites) {
    Map<Integer, List<Boolean>> bySite = new HashMap<>();
    for (int i = 0; i < sites.size(); i++) {
      bySite.computeIfAbsent(sites.get(i), s -> new ArrayList<>()).add(needed.get(i)[0]);
    }
    bySite.forEach(
        (site, all) -> {
          if (!all.contains(true)) {
            findings.add(kind + " persist=" + site);
          }
        });
  }
}
