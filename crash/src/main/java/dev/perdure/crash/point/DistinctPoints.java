package dev.perdure.crash.point;

import java.util.function.Consumer;

/** The failure points of a run that differ from all before them, and how many there are. */
final class DistinctPoints {
  private final PointStates states;
  private final int most;
  private final Consumer<FailurePoint> taker;
  private int candidates;
  private int kept;
  private int beyondLimit;

  /**
   * @param most so many are handed out at most
   * @param taker takes them, one after the other
   */
  DistinctPoints(PointStates states, int most, Consumer<FailurePoint> taker) {
    this.states = states;
    this.most = most;
    this.taker = taker;
  }

  /** Counts an ordering point that may become one of them. */
  void countCandidate() {
    candidates++;
  }

  /**
   * Hands the point out if none like it came before and the limit allows it.
   *
   * @param windows the number of the windows that are open
   */
  void offer(FailurePoint point, long windows) {
    if (!states.isNew(point, windows)) {
      return;
    }
    if (kept == most) {
      beyondLimit++;
      return;
    }
    kept++;
    taker.accept(point);
  }

  int candidates() {
    return candidates;
  }

  int kept() {
    return kept;
  }

  int beyondLimit() {
    return beyondLimit;
  }
}
