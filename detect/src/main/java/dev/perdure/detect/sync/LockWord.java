package dev.perdure.detect.sync;

/**
 * Recognition of a lock in an atomic word. A compare-and-swap or exchange that changes the word
 * takes it, provisionally; the same thread writing the old value back frees it and confirms the
 * word. The word is refuted for good when anybody else changes it meanwhile, when its holder writes
 * anything else, when it is taken from another free value, changed by another kind of
 * read-modify-write while it is free, or stored another value by a thread that does not hold it.
 *
 * <p>A lock may count versions: its holder frees it by a store or an addition that sets back the
 * bits by which it was taken and changes others. What has been taken and freed in the same steps
 * {@value #ROUNDS} times in a row, by more than one thread, is such a lock. (Fewer rounds, or one
 * thread, would make locks of words that go through states.) Another step says nothing: the version
 * starts again from 0, or the lock's life ends. Its holder may also set it back as it was, where it
 * has changed nothing: that proves a lock that never counts, and says nothing of one that does.
 * Other bits of such a word may be flags beside the lock: anybody may set and clear them.
 *
 * <p>A word that is taken and never freed, or that counts versions and has not done so often
 * enough, counts as a lock if the instruction that took it has taken other words that are locks,
 * and none that was refuted. Until then its thread holds it, too, within the limits of {@link
 * UnprovenWords}.
 */
public final class LockWord {
  private static final int ROUNDS = 3;

  private final long address;
  private int number = -1;
  private int takenAt;
  private boolean refuted;
  private boolean confirmed;
  private ThreadState holder;
  private long freeValue;
  private long heldValue;

  /** The bits by which it was taken, and how its holder changed it, while it counts versions. */
  private long takenBits;

  private long freeingStep;
  private int equalSteps;
  private int rounds;
  private ThreadState firstHolder;
  private boolean severalHolders;
  private final Publication released = new Publication();

  LockWord(long address) {
    this.address = address;
  }

  /** Whether the word is a lock, as far as the trace has shown. */
  public boolean isRecognised(LockRegistry registry) {
    return !refuted
        && (confirmed || (holder != null || rounds > 0) && registry.takesLocks(takenAt));
  }

  /** The value while nobody holds it, or one of them. */
  public long freeValue() {
    return freeValue;
  }

  /** Those bits of the value that tell whether somebody holds it. */
  public long stateBits() {
    return rounds > 0 ? takenBits : -1;
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
    if (isBeside(old, value)) {
      freeValue ^= old ^ value;
      heldValue ^= old ^ value;
      return;
    }
    if (holder != null && holder != thread && old == freeValue) {
      // Freed by an access that the trace does not show.
      free(holder);
    }
    if (holder != null) {
      changedWhileHeld(thread, value, !takes, registry);
    } else if (takes && mayBeTaken(old, value)) {
      take(thread, site, old, value, registry);
    } else if (takes || number >= 0) {
      refute(registry);
    }
  }

  /** Whether a change concerns none of the bits by which a lock that counts versions is taken. */
  private boolean isBeside(long old, long value) {
    return rounds > 0 && ((old ^ value) & takenBits) == 0;
  }

  private boolean mayBeTaken(long old, long value) {
    return number < 0 || old == freeValue && (rounds == 0 || (old ^ value) == takenBits);
  }

  /** A store of any order. */
  public void stored(ThreadState thread, long value, LockRegistry registry) {
    if (refuted || number < 0) {
      return;
    }
    if (holder != null) {
      changedWhileHeld(thread, value, true, registry);
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

  /**
   * @param unconditionally not by comparing first, as one who holds it need not
   */
  private void changedWhileHeld(
      ThreadState thread, long value, boolean unconditionally, LockRegistry registry) {
    if (value == heldValue) {
      return;
    }
    boolean setBack = value == freeValue;
    if (holder != thread || !setBack && !(unconditionally && isNextVersion(value))) {
      refute(registry);
      return;
    }
    if (!setBack) {
      if (rounds == 0 && confirmed) {
        confirmed = false;
        registry.recognise(number, false);
        registry.doubt(takenAt);
      }
      countVersion(value);
    }
    boolean provenVersion = equalSteps >= ROUNDS && severalHolders;
    if (rounds == 0 || confirmed || provenVersion) {
      confirmed = true;
      registry.recognise(number, true);
      registry.tookLock(takenAt, rounds > 0);
    }
    free(thread);
    released.set(thread);
  }

  private boolean isNextVersion(long value) {
    long bits = heldValue ^ freeValue;
    return ((value ^ freeValue) & bits) == 0;
  }

  private void countVersion(long value) {
    if (rounds++ == 0) {
      takenBits = heldValue ^ freeValue;
    }
    long step = value - heldValue;
    equalSteps = step == freeingStep ? equalSteps + 1 : 1;
    freeingStep = step;
    freeValue = value;
  }

  private void take(ThreadState thread, int site, long old, long value, LockRegistry registry) {
    if (number < 0) {
      number = registry.addWord(address);
      freeValue = old;
    }
    takenAt = site;
    heldValue = value;
    holder = thread;
    firstHolder = firstHolder == null ? thread : firstHolder;
    severalHolders |= thread != firstHolder;
    if (confirmed
        || rounds > 0
        || registry.takesLocks(site)
        || thread.unproven().add(thread, site, this)) {
      thread.held().acquire(number, false);
    }
    released.teach(thread);
  }

  /** Whether the thread has taken it, and nothing tells whether that made it hold a lock. */
  boolean isUnprovenOf(ThreadState thread) {
    return holder == thread && !confirmed && rounds == 0;
  }

  void dropFrom(HeldLocks held) {
    held.drop(number);
  }

  /** By a plain store, too, which comes in the midst of what the thread does under other locks. */
  private void free(ThreadState thread) {
    thread.held().drop(number);
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
