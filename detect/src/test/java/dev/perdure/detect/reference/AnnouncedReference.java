package dev.perdure.detect.reference;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Vardalith's runtime, byte by byte: a map of open regions, to which announcements and accesses add
 * and from which releases remove. Regions of a thread that has acquired since serve no new access.
 */
final class AnnouncedReference {
  private record Key(int thread, boolean store, long address) {}

  private record Access(int event, boolean store, long address) {}

  private static final class Region {
    final int start;
    boolean dirty;

    Region(int start, boolean dirty) {
      this.start = start;
      this.dirty = dirty;
    }
  }

  private final Map<Key, Region> open = new HashMap<>();
  private final Map<Access, Integer> starts = new HashMap<>();
  private final boolean[] exempt;

  AnnouncedReference(
      List<Event> events,
      List<ByteWindow> windows,
      boolean[] exempt,
      IntPredicate acquires,
      IntPredicate releases) {
    this.exempt = exempt;
    Map<Integer, List<ByteWindow>> persisted =
        windows.stream()
            .filter(w -> w.fate == ByteWindow.Fate.PERSISTED)
            .collect(Collectors.groupingBy(w -> w.end));
    for (int i = 0; i < events.size(); i++) {
      Event e = events.get(i);
      for (ByteWindow w : persisted.getOrDefault(i, List.of())) {
        clean(events.get(w.store).thread(), w.address);
      }
      if (acquires.test(i)) {
        open.keySet().removeIf(k -> k.thread == e.thread());
      }
      access(i, e);
      if (releases.test(i)) {
        open.entrySet().removeIf(r -> r.getKey().thread == e.thread() && !r.getValue().dirty);
      }
    }
  }

  private void clean(int thread, long address) {
    Region region = open.get(new Key(thread, true, address));
    if (region != null) {
      region.dirty = false;
    }
  }

  private void access(int i, Event e) {
    switch (e.kind()) {
      case EventKind.REGION_START ->
          open(i, e, e.info() == EventInfo.REGION_STORE, e.value(), false);
      case EventKind.LOAD, EventKind.CAS_FAILED -> open(i, e, false, e.size(), true);
      case EventKind.LOAD_BLOCK -> open(i, e, false, e.value(), true);
      case EventKind.STORE, EventKind.STORE_NT -> open(i, e, true, e.size(), true);
      case EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK -> open(i, e, true, e.value(), true);
      case EventKind.RMW -> {
        open(i, e, false, e.size(), true);
        open(i, e, true, e.size(), true);
      }
      default -> {}
    }
  }

  private void open(int i, Event e, boolean store, long length, boolean access) {
    for (long a = e.address(); a < e.address() + length && !exempt[i]; a++) {
      Region region =
          open.computeIfAbsent(new Key(e.thread(), store, a), k -> new Region(i, store));
      if (access) {
        starts.put(new Access(i, store, a), region.start);
        region.dirty = store;
      }
    }
  }

  /** The event at which the region of an access started, for a byte of it. */
  int start(int event, boolean store, long address) {
    return starts.get(new Access(event, store, address));
  }
}
