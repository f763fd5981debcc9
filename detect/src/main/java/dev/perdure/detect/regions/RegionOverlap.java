package dev.perdure.detect.regions;

import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.sync.Moments;
import dev.perdure.detect.sync.ThreadState;

/** Whether the region of an access that is made now overlaps one that is on record. */
public final class RegionOverlap {
  private final RegionExtent extent;
  private final Moments moments;
  private final Windows windows;
  private long overlaps;

  public RegionOverlap(RegionExtent extent, Moments moments, Windows windows) {
    this.extent = extent;
    this.moments = moments;
    this.windows = windows;
  }

  /** A load now, and a window of another thread that is open. */
  public boolean withOpenWindow(ThreadState loader, int window) {
    return counted(
        extent != RegionExtent.IFR
            || reaches(loader, windows.index(window), windows.epoch(window)));
  }

  /** A load now, and a window that another thread ended at that epoch. */
  public boolean withEndedWindow(ThreadState loader, int window, int endIndex, int endEpoch) {
    return counted(
        switch (extent) {
          case MINIMAL -> false;
          case IFR ->
              reaches(loader, windows.index(window), windows.epoch(window))
                  && reaches(loader, endIndex, endEpoch);
          case PIFR -> reaches(loader, endIndex, endEpoch);
        });
  }

  /** A store now, and a load of another thread at that epoch. */
  public boolean withEarlierLoad(ThreadState storer, int loadIndex, int loadEpoch) {
    return counted(extent != RegionExtent.MINIMAL && reaches(storer, loadIndex, loadEpoch));
  }

  /** Whether what the thread's region holds now began before that epoch of another was over. */
  private boolean reaches(ThreadState t, int index, int epoch) {
    return moments.lastedBeyondAcquire(index, epoch, t.index());
  }

  private boolean counted(boolean overlap) {
    overlaps += overlap ? 1 : 0;
    return overlap;
  }

  public long overlaps() {
    return overlaps;
  }
}
