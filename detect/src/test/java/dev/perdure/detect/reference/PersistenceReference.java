package dev.perdure.detect.reference;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table of SEMANTICS, section 1, byte by byte, with nothing forgotten. */
final class PersistenceReference {
  /** One byte of a load. */
  record ByteLoad(long address, int life, int event, int value, boolean known) {}

  /** One byte of an access of any kind. */
  record Touch(long address, int life, int time, int thread) {}

  final List<ByteWindow> windows = new ArrayList<>();
  final List<ByteLoad> loads = new ArrayList<>();
  final List<Touch> touches = new ArrayList<>();

  /** Operations that are judged, and whether they were needed: site, needed. */
  final List<boolean[]> flushes = new ArrayList<>();

  final List<Integer> flushSites = new ArrayList<>();
  final List<boolean[]> fences = new ArrayList<>();
  final List<Integer> fenceSites = new ArrayList<>();

  private final Map<Long, ByteWindow> open = new TreeMap<>();
  private final Map<Long, Integer> lives = new HashMap<>();
  private final Map<Long, Long> sizes = new HashMap<>();
  private final boolean[] exempt;
  private final LockReference locks;

  PersistenceReference(List<Event> events, boolean[] exempt, LockReference locks) {
    this.exempt = exempt;
    this.locks = locks;
    for (int i = 0; i < events.size(); i++) {
      apply(i, events.get(i));
    }
  }

  private void apply(int i, Event e) {
    int t = e.thread();
    switch (e.kind()) {
      case EventKind.LOAD -> load(i, e, e.size(), e.value(), true);
      case EventKind.LOAD_BLOCK -> load(i, e, (int) e.value(), 0, false);
      case EventKind.STORE -> {
        if (e.order() == MemoryOrder.SEQ_CST) {
          fence(i, t);
        }
        store(i, e, e.size(), Bytes.of(e.value()), false);
      }
      case EventKind.STORE_NT -> store(i, e, e.size(), Bytes.of(e.value()), true);
      case EventKind.STORE_BLOCK -> store(i, e, (int) e.value(), e.payload(), false);
      case EventKind.STORE_NT_BLOCK -> store(i, e, (int) e.value(), e.payload(), true);
      case EventKind.RMW -> {
        fence(i, t);
        load(i, e, e.size(), e.oldValue(), true);
        store(i, e, e.size(), Bytes.of(e.newValue()), false);
      }
      case EventKind.CAS_FAILED -> {
        fence(i, t);
        load(i, e, e.size(), e.value(), true);
      }
      case EventKind.FLUSH -> flush(i, e);
      case EventKind.FENCE -> {
        if (e.info() <= EventInfo.FENCE_LIBRARY_DRAIN) {
          boolean needed = fence(i, t);
          if (e.info() == EventInfo.FENCE_SFENCE || e.info() == EventInfo.FENCE_LIBRARY_DRAIN) {
            fences.add(new boolean[] {needed});
            fenceSites.add(e.site());
          }
        }
      }
      case EventKind.PERSIST -> {
        boolean byLibrary =
            e.info() == EventInfo.PERSIST_LIBRARY || e.info() == EventInfo.PERSIST_DEEP;
        boolean needed = false;
        for (long a = e.address() & -64; a < (e.address() + e.value() + 63 & -64); a++) {
          needed |= open.containsKey(a);
          end(i, a, ByteWindow.Fate.PERSISTED, true);
        }
        if (byLibrary) {
          flushes.add(new boolean[] {needed});
          flushSites.add(e.site());
          fence(i, t);
        }
      }
      case EventKind.ACQUIRE, EventKind.RELEASE -> {
        if (locks.isOutermost(i) && (e.info() & EventInfo.LOCK_NO_FENCE) == 0) {
          fence(i, t);
        }
      }
      case EventKind.BARRIER_ENTER,
          EventKind.BARRIER_LEAVE,
          EventKind.SEM_POST,
          EventKind.SEM_WAIT,
          EventKind.ONCE_DONE,
          EventKind.THREAD_CREATE,
          EventKind.THREAD_JOIN ->
          fence(i, t);
      case EventKind.ALLOC -> {
        sizes.put(e.address(), e.value());
        newLife(e.address(), e.value());
        for (long a = e.address(); a < e.address() + e.value() && e.info() == 0; a++) {
          add(new ByteWindow(a, life(a), i, 0, true, exempt[i]));
        }
      }
      case EventKind.FREE -> newLife(e.address(), sizes.getOrDefault(e.address(), 0L));
      default -> {}
    }
  }

  private int life(long a) {
    return lives.getOrDefault(a, 0);
  }

  private void newLife(long address, long size) {
    for (long a = address; a < address + size; a++) {
      lives.merge(a, 1, Integer::sum);
      ByteWindow w = open.remove(a);
      if (w != null) {
        w.fate = ByteWindow.Fate.VANISHED;
      }
    }
  }

  private static boolean isPm(long address) {
    return address >= 0x200000000000L;
  }

  private void load(int i, Event e, int size, long value, boolean known) {
    for (int k = 0; k < size && isPm(e.address()); k++) {
      long a = e.address() + k;
      touches.add(new Touch(a, life(a), 2 * i + 1, e.thread()));
      if (!exempt[i]) {
        int b = known ? (int) (value >>> 8 * k) & 0xff : 0;
        loads.add(new ByteLoad(a, life(a), i, b, known));
      }
    }
  }

  private void store(int i, Event e, int size, byte[] bytes, boolean nt) {
    for (int k = 0; k < size && isPm(e.address()); k++) {
      long a = e.address() + k;
      touches.add(new Touch(a, life(a), 2 * i + 1, e.thread()));
      end(i, a, ByteWindow.Fate.OVERWRITTEN, false);
      ByteWindow w = new ByteWindow(a, life(a), i, bytes[k] & 0xff, false, exempt[i]);
      if (nt) {
        w.dirty = false;
        w.pendingFor.add(e.thread());
      }
      add(w);
    }
  }

  private void add(ByteWindow w) {
    windows.add(w);
    open.put(w.address, w);
  }

  private void end(int i, long a, ByteWindow.Fate fate, boolean byFence) {
    ByteWindow w = open.remove(a);
    if (w != null) {
      w.fate = fate;
      w.end = i;
      w.endedByFence = byFence;
    }
  }

  private boolean fence(int i, int t) {
    List<ByteWindow> done =
        open.values().stream().filter(w -> !w.dirty && w.pendingFor.contains(t)).toList();
    done.forEach(w -> end(i, w.address, ByteWindow.Fate.PERSISTED, true));
    return !done.isEmpty();
  }

  private void flush(int i, Event e) {
    boolean needed = false;
    for (long a = e.address() & -64; a < (e.address() + e.value() + 63 & -64); a++) {
      ByteWindow w = open.get(a);
      if (w == null) {
        continue;
      }
      if (e.info() == EventInfo.FLUSH_CLFLUSH) {
        needed = true;
        end(i, a, ByteWindow.Fate.PERSISTED, true);
      } else {
        boolean changed = w.dirty || !w.pendingFor.contains(e.thread());
        needed |= changed;
        w.dirty = false;
        w.pendingFor.add(e.thread());
        w.flush = changed && w.flush < 0 ? e.site() : w.flush;
      }
    }
    flushes.add(new boolean[] {needed});
    flushSites.add(e.site());
  }
}
