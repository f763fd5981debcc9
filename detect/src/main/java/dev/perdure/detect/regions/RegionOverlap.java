package dev.perdure.detect.regions;

import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.sync.Moments;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.detect.sync.Threads;

/** Whether the region of an access that is made now overlaps one that is on record. */
public final class RegionOverlap {
  private final RegionExtent extent;
  private final RegionStart starts;
  private final Moments moments;
  private final Windows windows;
  private final Threads threads;
  private final OpenRegions open;
  private long overlaps;

  public RegionOverlap(
      RegionExtent extent,
      RegionStart starts,
      OpenRegions open,
      Moments moments,
      Windows windows,
      Threads threads) {
    this.extent = extent;
    this.starts = starts;
    this.open = open;
    this.moments = moments;
    this.windows = windows;
    this.threads = threads;
  }

  /** A load now, and a window of another thread that is open. */
  public boolean withOpenWindow(
      ThreadState loader, long address, int mask, int granule, int window) {
    return counted(
        extent != RegionExtent.IFR
            || reaches(
                loader,
                false,
                address,
                mask,
                granule,
                windows.index(window),
                windows.epoch(window)));
  }

  /** A load now, and a window that another thread ended at that epoch. */
  public boolean withEndedWindow(
      ThreadState loader,
      long address,
      int mask,
      int granule,
      int window,
      int endIndex,
      int endEpoch) {
    if (extent == RegionExtent.MINIMAL) {
      return false;
    }
    boolean reaches = reaches(loader, false, address, mask, granule, endIndex, endEpoch);
    return counted(
        reaches
            && (extent == RegionExtent.PIFR
                || reaches(
                    loader,
                    false,
                    address,
                    mask,
                    granule,
                    windows.index(window),
                    windows.epoch(window))));
  }

  /** A store now, and a load of another thread at that epoch. */
  public boolean withEarlierLoad(
      ThreadState storer, long address, int mask, int granule, int loadIndex, int loadEpoch) {
    return counted(
        extent != RegionExtent.MINIMAL
            && reaches(storer, true, address, mask, granule, loadIndex, loadEpoch));
  }

  /** Some bytes of a window were persisted. */
  public void persisted(int window, int mask, int granule) {
    if (starts == RegionStart.STATIC) {
      ThreadState storer = threads.at(windows.index(window));
      if (windows.isOf(window, storer)) {
        open.persisted(storer, windows.address(window), mask, granule);
      }
    }
  }

  /** Whether what the thread's region holds now began before that epoch of another was over. */
  private boolean reaches(
      ThreadState t, boolean store, long address, int mask, int granule, int index, int epoch) {
    return starts == RegionStart.LOOKBACK
        ? moments.lastedBeyondAcquire(index, epoch, t.index())
        : moments.lastedBeyond(open.start(t, store, address, mask, granule), index, epoch);
  }

  private boolean counted(boolean overlap) {
    overlaps += overlap ? 1 : 0;
    return overlap;
  }

  public long overlaps() {
    return overlaps;
  }
}
