package dev.perdure.detect.reference;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Happens-before, and create/join order, as graphs with all predecessors of every event. */
final class OrderReference {
  /** A write of an atomic location with the events that it releases. */
  private record Write(long value, Set<Integer> sources) {}

  private final List<Event> events;
  private final LockReference locks;
  private final List<BitSet> before = new ArrayList<>();
  private final List<BitSet> createdBefore = new ArrayList<>();
  private final Map<Integer, Integer> lastOf = new HashMap<>();
  private final Map<Integer, Integer> creationOf = new HashMap<>();
  private final Map<Long, List<Integer>> writeUnlocks = new HashMap<>();
  private final Map<Long, List<Integer>> readUnlocks = new HashMap<>();
  private final Map<Long, List<Integer>> posts = new HashMap<>();
  private final Map<Long, List<Integer>> entries = new HashMap<>();
  private final Map<Long, Long> counts = new HashMap<>();
  private final Map<Integer, Integer> roundOf = new HashMap<>();
  private final Map<Long, List<Write>> writes = new HashMap<>();
  private final Map<Long, Long> sizes = new HashMap<>();
  private final Map<Integer, Integer> releaseFence = new HashMap<>();
  private final Map<Integer, Set<Integer>> relaxedReads = new HashMap<>();

  OrderReference(List<Event> events, LockReference locks) {
    this.events = events;
    this.locks = locks;
    for (int i = 0; i < events.size(); i++) {
      before.add(new BitSet());
      createdBefore.add(new BitSet());
      connect(i, events.get(i));
    }
  }

  /** Whether one event happens before another. */
  boolean happensBefore(int x, int y) {
    return before.get(y).get(x);
  }

  /** Whether an event comes to know more than the one before it, of its thread or its creator's. */
  boolean learns(int event, int previous) {
    BitSet fresh = (BitSet) before.get(event).clone();
    if (previous >= 0) {
      fresh.andNot(before.get(previous));
      fresh.clear(previous);
    }
    return !fresh.isEmpty();
  }

  /** The same by program order, create and join alone. */
  boolean orderedByThreads(int x, int y) {
    return createdBefore.get(y).get(x);
  }

  private void edge(int from, int to) {
    before.get(to).or(before.get(from));
    before.get(to).set(from);
  }

  private void threadEdge(int from, int to) {
    edge(from, to);
    createdBefore.get(to).or(createdBefore.get(from));
    createdBefore.get(to).set(from);
  }

  private void connect(int i, Event e) {
    int t = e.thread();
    if (lastOf.containsKey(t)) {
      threadEdge(lastOf.get(t), i);
    } else if (creationOf.containsKey(t)) {
      threadEdge(creationOf.get(t), i);
    }
    lastOf.put(t, i);
    switch (e.kind()) {
      case EventKind.THREAD_CREATE -> creationOf.put((int) e.value(), i);
      case EventKind.THREAD_JOIN -> {
        if (lastOf.containsKey((int) e.value())) {
          threadEdge(lastOf.get((int) e.value()), i);
        }
      }
      case EventKind.ACQUIRE -> acquire(i, e);
      case EventKind.RELEASE -> {
        if (locks.isOutermost(i)) {
          boolean shared =
              locks.at(i).stream().anyMatch(h -> h.lock() == e.address() && h.shared());
          list(shared ? readUnlocks : writeUnlocks, e.address()).add(i);
        }
      }
      case EventKind.SEM_POST, EventKind.ONCE_DONE -> list(posts, e.address()).add(i);
      case EventKind.SEM_WAIT, EventKind.ONCE_PASS ->
          list(posts, e.address()).forEach(p -> edge(p, i));
      case EventKind.BARRIER_INIT -> counts.put(e.address(), e.value());
      case EventKind.BARRIER_ENTER -> {
        roundOf.put(t, (int) (list(entries, e.address()).size() / counts.get(e.address())));
        list(entries, e.address()).add(i);
      }
      case EventKind.BARRIER_LEAVE -> {
        int n = (int) (long) counts.get(e.address());
        list(entries, e.address())
            .subList(n * roundOf.get(t), n * (roundOf.get(t) + 1))
            .forEach(p -> edge(p, i));
      }
      case EventKind.FENCE -> fence(i, e);
      case EventKind.LOAD -> {
        if (MemoryOrder.atomic(e.order())) {
          read(i, e, e.value());
        }
      }
      case EventKind.CAS_FAILED -> read(i, e, e.value());
      case EventKind.STORE -> {
        if (MemoryOrder.atomic(e.order())) {
          write(i, e, e.value(), Set.of());
        } else {
          overwrite(e, e.size(), Bytes.of(e.value()));
        }
      }
      case EventKind.STORE_NT -> overwrite(e, e.size(), Bytes.of(e.value()));
      case EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK ->
          overwrite(e, (int) e.value(), e.payload());
      case EventKind.RMW -> write(i, e, e.newValue(), read(i, e, e.oldValue()));
      case EventKind.ALLOC -> {
        sizes.put(e.address(), e.value());
        endLives(e.address(), e.value());
      }
      case EventKind.FREE -> endLives(e.address(), sizes.getOrDefault(e.address(), 0L));
      default -> {}
    }
  }

  /** What lies in memory that is freed or allocated is another location from then on. */
  private void endLives(long address, long size) {
    writes.keySet().removeIf(a -> a >= address && a < address + size);
  }

  private static <T> List<T> list(Map<Long, List<T>> map, long key) {
    return map.computeIfAbsent(key, k -> new ArrayList<>());
  }

  private void acquire(int i, Event e) {
    locks.deadOwner(i).ifPresent(t -> list(writeUnlocks, e.address()).add(lastOf.get(t)));
    if (!locks.isOutermost(i)) {
      return;
    }
    list(writeUnlocks, e.address()).forEach(u -> edge(u, i));
    if ((e.info() & EventInfo.LOCK_SHARED) == 0) {
      list(readUnlocks, e.address()).forEach(u -> edge(u, i));
    }
  }

  private void fence(int i, Event e) {
    int how = e.info();
    boolean full =
        how == EventInfo.FENCE_MFENCE
            || how == EventInfo.FENCE_LOCKED
            || how == EventInfo.FENCE_ACQ_REL;
    if (full || how == EventInfo.FENCE_ACQUIRE) {
      relaxedReads.getOrDefault(e.thread(), Set.of()).forEach(s -> edge(s, i));
    }
    if (full || how == EventInfo.FENCE_RELEASE) {
      releaseFence.put(e.thread(), i);
    }
  }

  /** Returns the events that the value read had released. */
  private Set<Integer> read(int i, Event e, long value) {
    List<Write> all = list(writes, e.address());
    for (int k = all.size() - 1; k >= 0 && k >= all.size() - 4; k--) {
      if (all.get(k).value == value) {
        Set<Integer> sources = all.get(k).sources;
        if (MemoryOrder.acquires(e.order())) {
          sources.forEach(s -> edge(s, i));
        } else {
          relaxedReads.computeIfAbsent(e.thread(), t -> new HashSet<>()).addAll(sources);
        }
        return sources;
      }
    }
    return Set.of();
  }

  /**
   * A store that is not atomic changes the value of locations of eight bytes and releases nothing.
   */
  private void overwrite(Event e, int size, byte[] bytes) {
    for (var location : writes.entrySet()) {
      List<Write> all = location.getValue();
      byte[] value = Bytes.of(all.isEmpty() ? 0 : all.get(all.size() - 1).value);
      boolean hit = false;
      for (int k = 0; k < size; k++) {
        long offset = e.address() + k - location.getKey();
        if (offset >= 0 && offset < 8) {
          value[(int) offset] = bytes[k];
          hit = true;
        }
      }
      if (hit) {
        all.add(new Write(Bytes.toLong(value), Set.of()));
      }
    }
  }

  private void write(int i, Event e, long value, Set<Integer> carried) {
    Set<Integer> sources = new HashSet<>(carried);
    if (MemoryOrder.releases(e.order())) {
      sources.add(i);
    } else if (MemoryOrder.atomic(e.order()) && releaseFence.containsKey(e.thread())) {
      sources.add(releaseFence.get(e.thread()));
    }
    list(writes, e.address()).add(new Write(value, sources));
  }
}
