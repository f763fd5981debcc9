package dev.perdure.detect;

import dev.perdure.detect.shadow.Access;
import dev.perdure.detect.shadow.StoreKind;
import dev.perdure.detect.shadow.WordLookup;
import dev.perdure.detect.sync.Locks;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;

/** Events that come by the million: plain accesses, flushes, fences and locks, in batches. */
final class FrequentEvents extends Events {
  private static final boolean[] FREQUENT = new boolean[EventKind.REGION_START + 1];

  static {
    FREQUENT[EventKind.LOAD] = true;
    FREQUENT[EventKind.STORE] = true;
    FREQUENT[EventKind.FLUSH] = true;
    FREQUENT[EventKind.FENCE] = true;
    FREQUENT[EventKind.ACQUIRE] = true;
    FREQUENT[EventKind.RELEASE] = true;
    FREQUENT[EventKind.LABEL] = true;
    FREQUENT[EventKind.LABEL_UNION] = true;
    FREQUENT[EventKind.REGION_START] = true;
  }

  private final boolean knowsCalm;
  private final Locks locks;
  private final Access access = new Access();

  FrequentEvents(Engines engines) {
    super(engines);
    knowsCalm = engines.knowsCalm;
    locks = engines.locks;
  }

  /** Whether events of the kind are analysed here. */
  static boolean include(int kind) {
    return kind < FREQUENT.length && FREQUENT[kind];
  }

  /** Analyses a row of frequent events. */
  void analyse(EventBatch batch, int from, int to, WordLookup words) {
    addCount(to - from);
    for (int i = from; i < to; i++) {
      ThreadState t = threads.of(batch.thread(i));
      int kind = batch.kind(i);
      int info = batch.info(i);
      long address = batch.address(i);
      if (kind == EventKind.ACQUIRE) {
        acquire(t, info, batch, i);
        continue;
      }
      if (kind == EventKind.RELEASE) {
        release(t, info, batch, i);
        continue;
      }
      int origin = origins.of(batch.site(i), batch.stack(i));
      long time = batch.time(i);
      long value = batch.value(i);
      if (kind <= EventKind.STORE
          && isCalm(info)
          && pm.contains(address)
          && calm.access(t, origin, time, kind == EventKind.STORE, address, info & 31, value)) {
        continue;
      }
      access.set(t, origin, time);
      switch (kind) {
        case EventKind.LOAD -> {
          access.expect(address, words, i);
          load(info, address, value);
        }
        case EventKind.STORE -> {
          access.expect(address, words, i);
          store(info, address, value);
        }
        case EventKind.FLUSH -> flush(info, address, value);
        case EventKind.FENCE -> fence(info);
        case EventKind.LABEL -> label(address, value);
        case EventKind.LABEL_UNION -> labelUnion(address, value);
        default -> open(t, info == EventInfo.REGION_STORE, address, value);
      }
    }
  }

  /** Whether an access of that kind may be part of a visit to a calm line. */
  private boolean isCalm(int info) {
    return knowsCalm && !MemoryOrder.atomic(info >>> 5) && (info & 31) <= 8;
  }

  private void load(int info, long address, long value) {
    synchronisation.load(access.thread(), address, value, info >>> 5);
    if (findsRaces && pm.contains(address)) {
      int size = info & 31;
      open(access.thread(), false, address, size);
      if (size <= 8) {
        accesses.load(access, address, size, value);
      } else {
        accesses.loadBytes(access, address, size);
      }
      follow(access.thread(), access.origin(), access.time(), address, size, value, size <= 8);
    }
  }

  private void store(int info, long address, long value) {
    ThreadState t = access.thread();
    int order = info >>> 5;
    int size = info & 31;
    boolean inPm = pm.contains(address);
    if (!inPm || MemoryOrder.atomic(order)) {
      calm.settle(t);
    }
    if (order == MemoryOrder.SEQ_CST) {
      // x86 stores with that order by xchg, which is a fence.
      fence();
    }
    boolean atomic = MemoryOrder.atomic(order);
    if (inPm) {
      StoreKind kind = atomic ? StoreKind.ATOMIC : StoreKind.PLAIN;
      open(t, true, address, size);
      accesses.store(access, address, size, value, kind);
      stored(t, address, size);
    }
    if ((atomic || !inPm) && synchronisation.store(t, address, size, value, order) && inPm) {
      accesses.markAtomic(address);
    }
  }

  private void label(long address, long value) {
    if (followsData) {
      taint.label(access.thread(), address, value);
    }
  }

  private void labelUnion(long label, long parts) {
    if (followsData) {
      taint.union(label, parts);
    }
  }

  private void flush(int info, long address, long length) {
    if (!pm.contains(address)) {
      return;
    }
    ThreadState t = access.thread();
    boolean ordered = info == EventInfo.FLUSH_CLFLUSH;
    long end = address + Math.max(1, length);
    boolean needed = persistence.flush(t, access.origin(), access.time(), address, end, ordered);
    if (judgesOperations && !t.operationsAreExempt()) {
      flushes.count(access.origin(), needed);
    }
  }

  private void fence(int info) {
    ThreadState t = access.thread();
    switch (info) {
      case EventInfo.FENCE_ACQUIRE -> t.acquireFence();
      case EventInfo.FENCE_RELEASE -> {
        calm.settle(t);
        t.publishAtFence();
      }
      case EventInfo.FENCE_ACQ_REL -> languageFence(t);
      case EventInfo.FENCE_MFENCE, EventInfo.FENCE_LOCKED -> {
        fence();
        languageFence(t);
      }
      default -> {
        boolean needed = fence();
        if (judgesOperations && !t.operationsAreExempt()) {
          fences.count(access.origin(), needed);
        }
      }
    }
  }

  private boolean fence() {
    return fence(access.thread(), access.origin(), access.time());
  }

  private void languageFence(ThreadState t) {
    calm.settle(t);
    t.acquireFence();
    t.publishAtFence();
  }

  private void acquire(ThreadState t, int info, EventBatch batch, int i) {
    boolean shared = (info & EventInfo.LOCK_SHARED) != 0;
    calm.settle(t);
    if ((info & EventInfo.LOCK_OWNER_DIED) != 0) {
      locks.ownerDied(t, batch.address(i));
    }
    boolean outermost = locks.acquire(t, batch.address(i), shared);
    if (outermost && (info & EventInfo.LOCK_NO_FENCE) == 0 && isPending(t)) {
      fence(t, origins.of(batch.site(i), batch.stack(i)), batch.time(i));
    }
  }

  private void release(ThreadState t, int info, EventBatch batch, int i) {
    long address = batch.address(i);
    if ((info & EventInfo.LOCK_NO_FENCE) == 0 && isPending(t) && locks.isOutermost(t, address)) {
      fence(t, origins.of(batch.site(i), batch.stack(i)), batch.time(i));
    }
    calm.settle(t);
    locks.release(t, address);
  }
}
