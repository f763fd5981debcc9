package dev.perdure.detect.sync;

/** One round of a barrier: all who enter it happen before all who leave it. */
final class BarrierRound {
  static final BarrierRound NONE = new BarrierRound();

  private final Publication arrivals = new Publication();
  private int entered;
  private boolean left;

  void enter(ThreadState thread) {
    arrivals.add(thread);
    entered++;
    thread.enterBarrier(this);
  }

  void leave(ThreadState thread) {
    left = true;
    arrivals.teach(thread);
    thread.enterBarrier(NONE);
  }

  /** Where the count is not known (0), a round is over when the first thread leaves it. */
  boolean isFull(long count) {
    return count > 0 ? entered >= count : left;
  }
}
