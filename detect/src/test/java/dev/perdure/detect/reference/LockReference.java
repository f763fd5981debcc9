package dev.perdure.detect.reference;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which locks each thread holds at each event, since when, and how. */
final class LockReference {
  /** A lock that is held; {@code since} is the event that acquired its outermost level. */
  record Held(long lock, boolean shared, int since) {}

  private final List<Set<Held>> heldAt = new ArrayList<>();
  private final Set<Integer> outermost = new HashSet<>();

  LockReference(List<Event> events) {
    Map<Integer, Map<Long, Held>> held = new HashMap<>();
    Map<Integer, Map<Long, Integer>> levels = new HashMap<>();
    for (int i = 0; i < events.size(); i++) {
      Event e = events.get(i);
      Map<Long, Held> mine = held.computeIfAbsent(e.thread(), t -> new HashMap<>());
      Map<Long, Integer> level = levels.computeIfAbsent(e.thread(), t -> new HashMap<>());
      if (e.kind() == EventKind.ACQUIRE && level.merge(e.address(), 1, Integer::sum) == 1) {
        outermost.add(i);
        boolean shared = (e.info() & EventInfo.LOCK_SHARED) != 0;
        mine.put(e.address(), new Held(e.address(), shared, i));
      }
      heldAt.add(new HashSet<>(mine.values()));
      if (e.kind() == EventKind.RELEASE && level.merge(e.address(), -1, Integer::sum) == 0) {
        outermost.add(i);
        mine.remove(e.address());
      }
    }
  }

  boolean isOutermost(int event) {
    return outermost.contains(event);
  }

  /** Including the lock of an acquire, and of a release. */
  Set<Held> at(int event) {
    return heldAt.get(event);
  }
}
