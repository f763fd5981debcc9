package dev.perdure.detect.sync;

/**
 * Recognition of a lock in an atomic word. A compare-and-swap or exchange that changes the word
 * takes it, provisionally; the same thread writing the old value back frees it and confirms the
 * word. The word is refuted for good when anybody else changes it meanwhile, when its holder writes
 * anything else, when it is taken from another free value, changed by another kind of
 * read-modify-write while it is free, or stored another value by a thread that does not hold it.
 *
 * <p>A word that is taken and never freed counts as a lock if the instruction that took it has
 * taken other words that are locks, and none that was refuted.
 */
public final class LockWord {
  private final long address;
  private int number = -1;
  private int takenAt;
  private boolean refuted;
  private boolean confirmed;
  private ThreadState holder;
  private long freeValue;
  private long heldValue;
  private final Publication released = new Publication();

  LockWord(long address) {
    this.address = address;
  }

  /** Whether the word is a lock, as far as the trace has shown. */
  public boolean isRecognised(LockRegistry registry) {
    return !refuted && (confirmed || holder != null && registry.takesLocks(takenAt));
  }

  /** The value while nobody holds it. */
  public long freeValue() {
    return freeValue;
  }

  /**
   * A read-modify-write that stored.
   *
   * @param site the instruction
   * @param takes whether it is a compare-and-swap or an exchange
   */
  public void modified(
      ThreadState thread, int site, long old, long value, boolean takes, LockRegistry registry) {
    if (refuted || old == value) {
      return;
    }
    if (holder != null && holder != thread && old == freeValue) {
      // Freed by an access that the trace does not show.
      free(holder);
    }
    if (holder != null) {
      changedWhileHeld(thread, value, registry);
    } else if (takes && (number < 0 || old == freeValue)) {
      take(thread, site, old, value, registry);
    } else {
      refute(registry);
    }
  }

  /** A store of any order. */
  public void stored(ThreadState thread, long value, LockRegistry registry) {
    if (refuted || number < 0) {
      return;
    }
    if (holder != null) {
      changedWhileHeld(thread, value, registry);
    } else if (value != freeValue) {
      refute(registry);
    }
  }

  /** A store of unknown bytes, or of a part of the word. */
  public void damaged(LockRegistry registry) {
    if (!refuted && number >= 0) {
      refute(registry);
    }
  }

  private void changedWhileHeld(ThreadState thread, long value, LockRegistry registry) {
    if (value == heldValue) {
      return;
    }
    if (holder == thread && value == freeValue) {
      confirmed = true;
      registry.recognise(number, true);
      registry.tookLock(takenAt);
      free(thread);
      released.set(thread);
    } else {
      refute(registry);
    }
  }

  private void take(ThreadState thread, int site, long old, long value, LockRegistry registry) {
    if (number < 0) {
      number = registry.addWord(address);
      freeValue = old;
    }
    takenAt = site;
    heldValue = value;
    holder = thread;
    thread.held().acquire(number, false);
    released.teach(thread);
  }

  private void free(ThreadState thread) {
    thread.held().release(number);
    holder = null;
  }

  private void refute(LockRegistry registry) {
    refuted = true;
    if (number >= 0) {
      registry.recognise(number, false);
      registry.tookOther(takenAt);
    }
    if (holder != null) {
      holder.held().drop(number);
      holder = null;
    }
  }
}
