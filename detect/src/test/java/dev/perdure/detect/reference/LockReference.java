package dev.perdure.detect.reference;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Which locks each thread holds at each event, since when, and how. */
final class LockReference {
  /** A lock that is held; {@code since} is the event that acquired its outermost level. */
  record Held(long lock, boolean shared, int since) {}

  private final List<Set<Held>> heldAt = new ArrayList<>();
  private final Set<Integer> outermost = new HashSet<>();
  private final Map<Integer, Integer> deadOwners = new HashMap<>();

  LockReference(List<Event> events) {
    Map<Integer, Map<Long, Held>> held = new HashMap<>();
    Map<Integer, Map<Long, Integer>> levels = new HashMap<>();
    Map<Long, Integer> holders = new HashMap<>();
    for (int i = 0; i < events.size(); i++) {
      Event e = events.get(i);
      boolean ownerDied =
          e.kind() == EventKind.ACQUIRE && (e.info() & EventInfo.LOCK_OWNER_DIED) != 0;
      int holder = holders.getOrDefault(e.address(), e.thread());
      if (ownerDied && holder != e.thread()) {
        if (held.get(holder).remove(e.address()) != null) {
          levels.get(holder).remove(e.address());
          deadOwners.put(i, holder);
        }
      }
      Map<Long, Held> mine = held.computeIfAbsent(e.thread(), t -> new HashMap<>());
      Map<Long, Integer> level = levels.computeIfAbsent(e.thread(), t -> new HashMap<>());
      if (e.kind() == EventKind.ACQUIRE && level.merge(e.address(), 1, Integer::sum) == 1) {
        outermost.add(i);
        boolean shared = (e.info() & EventInfo.LOCK_SHARED) != 0;
        mine.put(e.address(), new Held(e.address(), shared, i));
        if (!shared) {
          holders.put(e.address(), e.thread());
        }
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

  /** The thread that had died with the lock which the event acquires. */
  OptionalInt deadOwner(int event) {
    Integer owner = deadOwners.get(event);
    return owner == null ? OptionalInt.empty() : OptionalInt.of(owner);
  }

  /** Including the lock of an acquire, and of a release. */
  Set<Held> at(int event) {
    return heldAt.get(event);
  }
}
