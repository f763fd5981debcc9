package dev.perdure.detect.observed;

import dev.perdure.detect.shadow.Windows;

/** Whether a load did return bytes of an open window. */
public final class ObservedReads {
  private final Windows windows;
  private long observed;
  private long otherValue;

  public ObservedReads(Windows windows) {
    this.windows = windows;
  }

  /** Compares the common bytes, where both sides know them. */
  public boolean returned(int window, int common, long value, boolean known) {
    if (known && !windows.is(window, Windows.NO_VALUE)) {
      long lanes = 0;
      for (int m = common; m != 0; m &= m - 1) {
        lanes |= 0xffL << 8 * Integer.numberOfTrailingZeros(m);
      }
      if (((value ^ windows.value(window)) & lanes) != 0) {
        otherValue++;
        return false;
      }
    }
    observed++;
    return true;
  }

  public long observed() {
    return observed;
  }

  public long otherValue() {
    return otherValue;
  }
}
