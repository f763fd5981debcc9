package dev.perdure.crash.point;

import java.util.Arrays;

/**
 * The writes of a commit variable up to a failure, the start of the run first.
 *
 * @param persisted how many of them are persistent
 */
@SuppressWarnings("ArrayRecordComponent")
public record CommitWrites(CommitVariable variable, long[] positions, int persisted) {
  static CommitWrites of(CommitVariable variable) {
    return new CommitWrites(variable, variable.writes(), variable.persistedWrites());
  }

  /** How many of them are not persistent. */
  int onTheirWay() {
    return positions.length - persisted;
  }

  /** How many of them stand at or before a position of the trace. */
  public int upTo(long position) {
    int at = Arrays.binarySearch(positions, position);
    return at >= 0 ? at + 1 : -at - 1;
  }
}
