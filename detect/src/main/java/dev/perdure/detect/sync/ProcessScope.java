package dev.perdure.detect.sync;

/** A process of the target and its region of interest: without any, the whole run counts. */
public final class ProcessScope {
  private final int number;
  private boolean limited;
  private int open;

  ProcessScope(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** Returns whether this is the first region of the process. */
  public boolean openRegion() {
    boolean first = !limited;
    limited = true;
    open++;
    return first;
  }

  public void closeRegion() {
    open = Math.max(0, open - 1);
  }

  public boolean outside() {
    return limited && open == 0;
  }
}
