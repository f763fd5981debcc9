package dev.perdure.detect.sync;

import java.util.ArrayList;
import java.util.List;

/**
 * Mutexes, rwlocks and whatever else is acquired and released by a call. A read-unlock orders later
 * write-locks, not later read-locks.
 */
public final class Locks {
  private final LockRegistry registry;
  private final LongIndex addresses = new LongIndex();
  private final List<LockState> states = new ArrayList<>();

  public Locks(LockRegistry registry) {
    this.registry = registry;
  }

  /** A lock was acquired; returns whether at the outermost level. */
  public boolean acquire(ThreadState thread, long address, boolean shared) {
    LockState lock = stateOf(address);
    if (!thread.held().acquire(lock.number, shared)) {
      return false;
    }
    lock.writers.teach(thread);
    if (shared) {
      registry.markShared(lock.number);
    } else {
      lock.readers.teach(thread);
      lock.holder = thread;
    }
    return true;
  }

  /** Whether a release of this lock by the thread would be at the outermost level. */
  public boolean isOutermost(ThreadState thread, long address) {
    int i = addresses.find(address);
    return i == LongIndex.ABSENT || thread.held().level(states.get(i).number) <= 1;
  }

  public void release(ThreadState thread, long address) {
    LockState lock = stateOf(address);
    if (thread.held().holdsShared(lock.number)) {
      if (thread.held().release(lock.number)) {
        lock.readers.add(thread);
      }
      return;
    }
    if (thread.held().level(lock.number) == 0) {
      lock.writers.add(thread);
      if (lock.holder != null) {
        lock.holder.held().drop(lock.number);
      }
      return;
    }
    if (thread.held().release(lock.number)) {
      lock.writers.set(thread);
      lock.readers.clear();
    }
  }

  /** The object is destroyed or initialised anew: what follows is another lock. */
  public void destroy(long address) {
    addresses.remove(address);
  }

  private LockState stateOf(long address) {
    int i = addresses.add(address);
    if (i == states.size()) {
      states.add(new LockState(registry.addLock(address)));
    }
    return states.get(i);
  }

  private static final class LockState {
    private final int number;
    private final Publication writers = new Publication();
    private final Publication readers = new Publication();
    private ThreadState holder;

    LockState(int number) {
      this.number = number;
    }
  }
}
