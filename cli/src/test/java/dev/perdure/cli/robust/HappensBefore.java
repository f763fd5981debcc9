package dev.perdure.cli.robust;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.MemoryOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * For each thread of a trace, how many stores of each thread come before what it does next: by the
 * thread's own order, by locks, by starting and joining threads, and by acquiring loads of what was
 * released.
 */
final class HappensBefore {
  private final Map<Integer, Map<Integer, Integer>> threads = new HashMap<>();
  private final Map<Long, Map<Integer, Integer>> released = new HashMap<>();

  /** Counts a store of the thread; returns how many of each thread come before it. */
  Map<Integer, Integer> store(int thread) {
    Map<Integer, Integer> before = new HashMap<>(of(thread));
    of(thread).merge(thread, 1, Integer::sum);
    return before;
  }

  void release(int thread, long address) {
    released.put(address, new HashMap<>(of(thread)));
  }

  void acquire(int thread, long address) {
    join(of(thread), released.getOrDefault(address, Map.of()));
  }

  void create(int parent, int child) {
    join(of(child), of(parent));
  }

  void join(int thread, int ended) {
    join(of(thread), of(ended));
  }

  /** Whoever reads an atomic store by acquiring relies on what its thread did before. */
  void atomicStore(Event e) {
    if (MemoryOrder.releases(e.order())) {
      release(e.thread(), e.address());
    } else {
      released.remove(e.address());
    }
  }

  void atomicLoad(Event e) {
    if (MemoryOrder.acquires(e.order())) {
      acquire(e.thread(), e.address());
    }
  }

  private Map<Integer, Integer> of(int thread) {
    return threads.computeIfAbsent(thread, t -> new HashMap<>());
  }

  private static void join(Map<Integer, Integer> into, Map<Integer, Integer> other) {
    other.forEach((thread, count) -> into.merge(thread, count, Math::max));
  }
}
