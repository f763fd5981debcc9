package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;

/** Lines that are known by other means than words, until somebody needs their words. */
public interface UnmadeLines {
  /** Gives a line its words. */
  void make(long line);

  /** Forgets all that is known of a line. */
  void forget(long line);

  /** What became of a flush. */
  enum Flush {
    NEEDED,
    NEEDLESS,
    /** The line has words now, which the flush concerns. */
    MADE
  }

  /** A flush of a line, given what stands for it in the shadow. */
  Flush flush(ThreadState t, int origin, long time, long line, int known, boolean ordered);
}
