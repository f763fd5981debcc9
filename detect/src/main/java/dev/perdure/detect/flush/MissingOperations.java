package dev.perdure.detect.flush;

import dev.perdure.detect.shadow.Windows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/** Stores that were still unpersisted when the run ended, by origin and by what they lack. */
public final class MissingOperations {
  /**
   * What is missing where.
   *
   * @param flushOrigin where it was flushed, -1 if nowhere
   * @param fence whether only the fence is missing
   */
  public record Key(int storeOrigin, int flushOrigin, boolean fence) {}

  /** How often, with one example of a window. */
  public record Missing(long count, int window, long address, int size) {}

  private final Windows windows;
  private final LongPredicate isLock;
  private final Map<Key, Missing> missing = new LinkedHashMap<>();

  public MissingOperations(Windows windows, LongPredicate isLock) {
    this.windows = windows;
    this.isLock = isLock;
  }

  /** Judges a window that is still open. */
  public void judge(int window, int granule) {
    if (windows.is(window, Windows.EXEMPT | Windows.ALLOCATION)) {
      return;
    }
    int mask = 0;
    for (int m = windows.mask(window); m != 0; m &= m - 1) {
      int bit = Integer.numberOfTrailingZeros(m);
      mask |= isLock.test(windows.address(window) + (long) bit * granule) ? 0 : 1 << bit;
    }
    if (mask == 0) {
      return;
    }
    boolean fence = windows.state(window) == Windows.PENDING;
    Key key = new Key(windows.origin(window), fence ? windows.flushOrigin(window) : -1, fence);
    long address = windows.address(window) + (long) Integer.numberOfTrailingZeros(mask) * granule;
    int size = Integer.bitCount(mask) * granule;
    missing.merge(
        key,
        new Missing(windows.stores(window), window, address, size),
        (a, b) -> new Missing(a.count() + b.count(), a.window(), a.address(), a.size()));
  }

  public Map<Key, Missing> all() {
    return missing;
  }
}
