package dev.perdure.crash.point;

import dev.perdure.crash.memory.PoolRange;
import java.util.ArrayList;
import java.util.List;

/** What a thread is in the middle of. */
final class ThreadMarks {
  boolean inLibrary;
  int relaxed;
  int skipped;
  int transactionDepth;

  /** Ranges that the library call under way adds to the log. */
  final List<PoolRange> adding = new ArrayList<>();

  /** What the thread's transaction has logged. */
  final LoggedRanges logged = new LoggedRanges();

  /** What the thread's transaction has logged or allocated, as it was asked to. */
  final LoggedRanges known = new LoggedRanges();

  boolean exempt() {
    return relaxed > 0 || skipped > 0;
  }

  void endTransaction() {
    adding.clear();
    logged.clear();
    known.clear();
  }
}
