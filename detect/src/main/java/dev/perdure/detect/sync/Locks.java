package dev.perdure.detect.sync;

/**
 * Mutexes, rwlocks and whatever else is acquired and released by a call. A read-unlock orders later
 * write-locks, not later read-locks.
 */
public final class Locks {
  private final LockRegistry registry;
  private final Threads threads;
  private final LockTable table;

  public Locks(LockRegistry registry, Threads threads) {
    this.registry = registry;
    this.threads = threads;
    this.table = new LockTable(registry);
  }

  /** A lock was acquired; returns whether at the outermost level. */
  public boolean acquire(ThreadState thread, long address, boolean shared) {
    int lock = table.slot(address);
    if (!thread.held().acquire(table.number(lock), shared)) {
      return false;
    }
    table.teach(lock, thread);
    if (table.isHeld(lock)) {
      table.disturb(lock);
      threads.lostTurn(table.holder(lock), table.number(lock));
    }
    if (shared) {
      registry.markShared(table.number(lock));
    } else {
      table.teachReaders(lock, thread);
      table.hold(lock, thread.number());
      if (!table.isDisturbed(lock)) {
        thread.held().tookInTurn();
      }
    }
    return true;
  }

  /**
   * The thread that held a lock has died, as the one that is about to acquire it was told: its end
   * released the lock, at all levels.
   */
  public void ownerDied(ThreadState next, long address) {
    int lock = table.slot(address);
    int number = table.number(lock);
    int holder = table.holder(lock);
    if (holder == 0 || holder == next.number() || !threads.isKnown(holder)) {
      return;
    }
    ThreadState owner = threads.of(holder);
    if (owner.held().level(number) == 0) {
      return;
    }
    owner.held().drop(number);
    if (table.isHeld(lock)) {
      table.releaseAtEnd(lock, owner);
    } else {
      table.addRelease(lock, owner);
    }
    if (next.held().level(number) == 0) {
      next.startRegion();
    }
  }

  /** Whether a release of this lock by the thread would be at the outermost level. */
  public boolean isOutermost(ThreadState thread, long address) {
    return thread.held().level(table.number(table.slot(address))) <= 1;
  }

  public void release(ThreadState thread, long address) {
    int lock = table.slot(address);
    int number = table.number(lock);
    HeldLocks held = thread.held();
    if (held.level(number) == 0) {
      table.disturb(lock);
      table.addRelease(lock, thread);
      if (table.holder(lock) != 0) {
        threads.of(table.holder(lock)).held().drop(number);
      }
      return;
    }
    boolean shared = held.holdsShared(number);
    if (!held.release(number)) {
      return;
    }
    if (shared) {
      table.addReader(lock, thread);
    } else {
      table.release(lock, thread);
    }
  }

  /** The object is destroyed or initialised anew: what follows is another lock. */
  public void destroy(long address) {
    table.remove(address);
  }

  /** Reads what is known of the locks at the first n addresses. */
  public void peek(long[] addresses, int n) {
    table.peek(addresses, n);
  }
}
