package dev.perdure.detect.flush;

import dev.perdure.detect.sync.LongIndex;

/** How often flushes or fences were carried out at each origin, and how often in vain. */
public final class Operations {
  private long[] executions = new long[64];
  private long[] needless = new long[64];

  public void count(int origin, boolean needed) {
    if (origin >= executions.length) {
      executions = LongIndex.fit(executions, origin);
      needless = LongIndex.fit(needless, executions.length - 1);
    }
    executions[origin]++;
    if (!needed) {
      needless[origin]++;
    }
  }

  long executions(int origin) {
    return origin < executions.length ? executions[origin] : 0;
  }

  long needless(int origin) {
    return origin < needless.length ? needless[origin] : 0;
  }

  /** Forgets what was counted so far. */
  public void clear() {
    executions = new long[64];
    needless = new long[64];
  }
}
