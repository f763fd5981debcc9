package dev.perdure.detect.sync;

/**
 * What a release leaves behind for the acquires that follow. It is either one thread's knowledge at
 * its clock (the array is shared with the thread, which copies before it changes it), or the joined
 * knowledge of several threads.
 */
final class Publication {
  /** In place of an index: nothing was released, or by several threads. */
  static final int NOBODY = -2;

  static final int SEVERAL = -1;

  private int[] known = Clock.ZERO;
  private int index = NOBODY;
  private int epoch;

  int[] known() {
    return known;
  }

  int index() {
    return index;
  }

  int epoch() {
    return epoch;
  }

  boolean isEmpty() {
    return index == NOBODY;
  }

  void clear() {
    known = Clock.ZERO;
    index = NOBODY;
    epoch = 0;
  }

  /** Replaces what was there by the thread's present knowledge; the thread's clock moves on. */
  void set(ThreadState thread) {
    known = thread.share();
    index = thread.index();
    epoch = thread.clock();
    thread.tick();
  }

  void set(Publication other) {
    set(other.known, other.index, other.epoch);
  }

  void set(int[] otherKnown, int otherIndex, int otherEpoch) {
    known = otherIndex == SEVERAL ? otherKnown.clone() : otherKnown;
    index = otherIndex;
    epoch = otherEpoch;
  }

  /** Adds the thread's present knowledge to what was there; the thread's clock moves on. */
  void add(ThreadState thread) {
    if (isEmpty() || covered(thread)) {
      set(thread);
      return;
    }
    own();
    known = Clock.raise(Clock.raise(known, thread.share()), thread.index(), thread.clock());
    thread.tick();
  }

  void add(Publication other) {
    if (other.isEmpty()) {
      return;
    }
    if (isEmpty()) {
      set(other);
      return;
    }
    own();
    known = Clock.raise(known, other.known);
    if (other.index != SEVERAL) {
      known = Clock.raise(known, other.index, other.epoch);
    }
  }

  /** Whether the thread knows all of this already, so that learning it changes nothing. */
  boolean covered(ThreadState thread) {
    if (index >= 0) {
      return thread.knows(index, epoch);
    }
    return index == NOBODY || thread.knowsAll(known);
  }

  void teach(ThreadState thread) {
    if (!covered(thread)) {
      thread.learn(known, index, epoch);
    }
  }

  private void own() {
    if (index != SEVERAL) {
      known = Clock.raise(known.clone(), index, epoch);
      index = SEVERAL;
    }
  }
}
