package dev.perdure.detect.reference;

import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Regions by their definition: from the last acquire to the next release, looked for in the trace.
 */
final class RegionReference {
  private static final int NEVER = Integer.MAX_VALUE;

  private final List<Event> events;
  private final LockReference locks;
  private final int[] start;
  private final Optional<AnnouncedReference> announced;

  RegionReference(
      List<Event> events,
      LockReference locks,
      OrderReference order,
      PersistenceReference memory,
      boolean[] exempt,
      RegionStart starts) {
    this.events = events;
    this.locks = locks;
    this.start = new int[events.size()];
    boolean[] acquires = new boolean[events.size()];
    Map<Integer, Integer> last = new HashMap<>();
    Map<Integer, Integer> creation = new HashMap<>();
    for (int i = 0; i < start.length; i++) {
      Event e = events.get(i);
      int before = last.getOrDefault(e.thread(), creation.getOrDefault(e.thread(), -1));
      boolean first = !last.containsKey(e.thread());
      int inherited = first ? before : start[before];
      boolean fromTheDead = locks.isOutermost(i) && locks.deadOwner(i).isPresent();
      boolean joins = e.kind() == EventKind.THREAD_JOIN;
      acquires[i] = joins || fromTheDead || order.learns(i, before);
      start[i] = acquires[i] ? i : inherited;
      last.put(e.thread(), i);
      if (e.kind() == EventKind.THREAD_CREATE) {
        creation.put((int) e.value(), i);
      }
    }
    announced =
        starts == RegionStart.LOOKBACK
            ? Optional.empty()
            : Optional.of(
                new AnnouncedReference(
                    events, memory.windows, exempt, i -> acquires[i], this::releases));
  }

  /** Whether the regions of a store and of a load are open at the same time. */
  boolean overlap(RegionExtent extent, ByteWindow w, int load, boolean during) {
    if (during || extent == RegionExtent.MINIMAL) {
      return during;
    }
    if (load < w.store) {
      return release(events.get(load).thread(), load) > start(w.store, true, w.address);
    }
    int ender = events.get(w.end).thread();
    return ender != events.get(load).thread()
        && release(ender, w.end) > start(load, false, w.address);
  }

  private int start(int access, boolean store, long address) {
    return announced.map(a -> a.start(access, store, address)).orElse(start[access]);
  }

  private int release(int thread, int from) {
    for (int i = from; i < events.size(); i++) {
      Event e = events.get(i);
      boolean own = e.thread() == thread && releases(i);
      boolean joined = e.kind() == EventKind.THREAD_JOIN && e.value() == thread;
      if (own || joined || locks.deadOwner(i).orElse(0) == thread) {
        return i;
      }
    }
    return NEVER;
  }

  private boolean releases(int i) {
    Event e = events.get(i);
    return switch (e.kind()) {
      case EventKind.RELEASE -> locks.isOutermost(i);
      case EventKind.SEM_POST,
          EventKind.ONCE_DONE,
          EventKind.BARRIER_ENTER,
          EventKind.THREAD_CREATE,
          EventKind.THREAD_END ->
          true;
      case EventKind.FENCE ->
          e.info() == EventInfo.FENCE_RELEASE
              || e.info() == EventInfo.FENCE_ACQ_REL
              || e.info() == EventInfo.FENCE_MFENCE
              || e.info() == EventInfo.FENCE_LOCKED;
      case EventKind.STORE, EventKind.RMW -> MemoryOrder.releases(e.order());
      default -> false;
    };
  }
}
