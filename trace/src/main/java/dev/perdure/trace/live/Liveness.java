package dev.perdure.trace.live;

/** What has become of a thread that has claimed a slot and not committed it. */
@FunctionalInterface
public interface Liveness {
  /** A thread's state, as far as its unfinished events are concerned. */
  enum State {
    /** It will commit what it has claimed. */
    RUNNING,
    /** It sleeps, which it does not do between claim and commit. */
    ASLEEP,
    /** It is gone, or its program was replaced. */
    GONE
  }

  /**
   * @param tid the system's thread id
   */
  State of(int pid, int tid);
}
