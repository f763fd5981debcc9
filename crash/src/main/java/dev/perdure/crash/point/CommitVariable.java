package dev.perdure.crash.point;

import dev.perdure.crash.memory.PoolRange;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

/**
 * A variable whose writes say which data is valid, and what it covers. The start of the run counts
 * as its first write.
 */
public final class CommitVariable {
  private final PoolRange range;
  private final List<PoolRange> covered = new ArrayList<>();
  private final LongArrayList writes = new LongArrayList(new long[] {0});

  CommitVariable(PoolRange range) {
    this.range = range;
  }

  public PoolRange range() {
    return range;
  }

  List<PoolRange> covered() {
    return covered;
  }

  void cover(PoolRange more) {
    if (!covered.contains(more)) {
      covered.add(more);
    }
  }

  void written(long position) {
    writes.add(position);
  }

  /** Positions of its writes so far, the start of the run among them. */
  public long[] writes() {
    return writes.toLongArray();
  }
}
