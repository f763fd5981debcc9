package dev.perdure.detect;

import dev.perdure.detect.shadow.Access;
import dev.perdure.detect.shadow.StoreKind;
import dev.perdure.detect.sync.AtomicWord;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;

/** Accesses that are no frequent events: of many bytes, past the cache, and read-modify-writes. */
final class RareAccesses extends Events implements EventHandler {
  private final Access access = new Access();

  RareAccesses(Engines engines) {
    super(engines);
  }

  private Access access(ThreadState t, Event e) {
    return access.set(t, origin(e), e.time());
  }

  @Override
  public void loadBlock(Event e) {
    ThreadState t = thread(e);
    Access access = access(t, e);
    if (findsRaces && pm.contains(e.address())) {
      open(t, false, e.address(), e.value());
      accesses.loadBytes(access, e.address(), e.value());
      follow(t, access.origin(), e.time(), e.address(), e.value(), 0, false);
    }
  }

  @Override
  public void storeNt(Event e) {
    Access access = access(thread(e), e);
    if (pm.contains(e.address())) {
      open(access.thread(), true, e.address(), e.size());
      accesses.store(access, e.address(), e.size(), e.value(), StoreKind.NON_TEMPORAL);
      stored(access.thread(), e.address(), e.size());
    }
  }

  @Override
  public void storeBlock(Event e) {
    storeBytes(e, StoreKind.PLAIN);
  }

  @Override
  public void storeNtBlock(Event e) {
    storeBytes(e, StoreKind.NON_TEMPORAL);
  }

  private void storeBytes(Event e, StoreKind kind) {
    Access access = access(thread(e), e);
    if (pm.contains(e.address())) {
      open(access.thread(), true, e.address(), e.value());
      accesses.storeBytes(access, e.address(), e.value(), e, 0, kind);
      stored(access.thread(), e.address(), e.value());
    }
  }

  @Override
  public void rmw(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    long old = e.oldValue();
    long value = e.newValue();
    AtomicWord word = synchronisation.read(t, e.address(), e.size(), old, e.order());
    if (pm.contains(e.address())) {
      accesses.markAtomic(e.address());
      loadOfRmw(t, e, old);
      open(t, true, e.address(), e.size());
      if (e.size() <= 8) {
        accesses.store(access(t, e), e.address(), e.size(), value, StoreKind.ATOMIC);
      } else {
        accesses.storeBytes(access(t, e), e.address(), e.size(), e, 16, StoreKind.ATOMIC);
      }
      stored(t, e.address(), e.size());
    }
    boolean takes = e.value() == EventInfo.RMW_CAS || e.value() == EventInfo.RMW_EXCHANGE;
    synchronisation.write(t, e.site(), word, old, value, takes, e.order());
  }

  @Override
  public void casFailed(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    synchronisation.load(t, e.address(), e.value(), e.order());
    if (pm.contains(e.address())) {
      loadOfRmw(t, e, e.value());
    }
  }

  private void loadOfRmw(ThreadState t, Event e, long value) {
    open(t, false, e.address(), e.size());
    if (findsRaces && e.size() <= 8) {
      accesses.load(access(t, e), e.address(), e.size(), value);
    } else if (findsRaces) {
      accesses.loadBytes(access(t, e), e.address(), e.size());
    }
    follow(t, origin(e), e.time(), e.address(), e.size(), value, e.size() <= 8);
  }

  @Override
  public void persist(Event e) {
    ThreadState t = staying(e);
    boolean byLibrary = e.info() == EventInfo.PERSIST_LIBRARY || e.info() == EventInfo.PERSIST_DEEP;
    if (pm.contains(e.address())) {
      int origin = origin(e);
      boolean needed = persistence.persist(t, origin, e.time(), e.address(), e.value());
      if (byLibrary && judgesOperations && !t.operationsAreExempt()) {
        flushes.count(origin, needed);
      }
    }
    if (byLibrary) {
      fence(t, e);
    }
  }
}
