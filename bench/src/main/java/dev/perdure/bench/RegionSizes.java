package dev.perdure.bench;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Counts the basic blocks within the regions of a program that uses mutexes and clflush, and whose
 * blocks are loads of a page of their own (examples/rare/blocks.c).
 */
final class RegionSizes {
  private static final long LINE = -64;

  /** A store whose regions are not all over. */
  private static final class Store {
    final long line;
    final int acquire;
    final int at;
    boolean persisted;
    boolean released;

    Store(long line, int acquire, int at) {
      this.line = line;
      this.acquire = acquire;
      this.at = at;
    }
  }

  /** A thread: blocks so far, and at its last acquire. */
  private static final class Thread {
    int blocks;
    int acquire;
    final IntArrayList loads = new IntArrayList();
    final List<Store> stores = new ArrayList<>();
  }

  private final Map<Integer, Thread> threads = new HashMap<>();
  private final IntArrayList windows = new IntArrayList();
  private final IntArrayList storeIfr = new IntArrayList();
  private final IntArrayList storePifr = new IntArrayList();
  private final IntArrayList loads = new IntArrayList();
  private long blockPage = -1;

  void see(Event e) {
    Thread t = threads.computeIfAbsent(e.thread(), n -> new Thread());
    switch (e.kind()) {
      case EventKind.PM_RANGE -> blockPage = e.address();
      case EventKind.LOAD -> {
        if (e.address() == blockPage) {
          t.blocks++;
        } else {
          t.loads.add(t.acquire);
        }
      }
      case EventKind.STORE -> t.stores.add(new Store(e.address() & LINE, t.acquire, t.blocks));
      case EventKind.FLUSH -> {
        if (e.info() == EventInfo.FLUSH_CLFLUSH) {
          persist(t, e.address() & LINE);
        }
      }
      case EventKind.ACQUIRE, EventKind.THREAD_BEGIN -> t.acquire = t.blocks;
      case EventKind.RELEASE, EventKind.THREAD_END -> release(t);
      default -> {}
    }
  }

  private void persist(Thread t, long line) {
    for (Store store : t.stores) {
      if (store.line == line && !store.persisted) {
        store.persisted = true;
        windows.add(1 + t.blocks - store.at);
      }
    }
  }

  private void release(Thread t) {
    for (int acquire : t.loads) {
      loads.add(1 + t.blocks - acquire);
    }
    t.loads.clear();
    for (Iterator<Store> all = t.stores.iterator(); all.hasNext(); ) {
      Store store = all.next();
      int size = 1 + t.blocks - store.acquire;
      if (!store.released) {
        store.released = true;
        storeIfr.add(size);
      }
      if (store.persisted) {
        storePifr.add(size);
        all.remove();
      }
    }
  }

  int count() {
    return storePifr.size() + loads.size();
  }

  int[] windows() {
    return windows.toIntArray();
  }

  int[] storeIfr() {
    return storeIfr.toIntArray();
  }

  int[] storePifr() {
    return storePifr.toIntArray();
  }

  int[] loads() {
    return loads.toIntArray();
  }
}
