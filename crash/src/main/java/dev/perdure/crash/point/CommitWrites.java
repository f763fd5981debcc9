package dev.perdure.crash.point;

import dev.perdure.crash.memory.LinePersistence;
import dev.perdure.crash.memory.StoreLog;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The writes of a commit variable up to a failure, the start of the run first.
 *
 * @param persisted how many of them are persistent
 */
@SuppressWarnings("ArrayRecordComponent")
public record CommitWrites(CommitVariable variable, long[] positions, int persisted) {
  /** Those so far: persistent are those before the oldest store to the variable that is not. */
  static CommitWrites of(CommitVariable variable, LinePersistence memory, StoreLog stores) {
    long[] positions = variable.writes();
    OptionalInt open = memory.oldestOpen(variable.range());
    int persisted = positions.length;
    while (open.isPresent() && positions[persisted - 1] >= stores.position(open.getAsInt())) {
      persisted--;
    }
    return new CommitWrites(variable, positions, persisted);
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
