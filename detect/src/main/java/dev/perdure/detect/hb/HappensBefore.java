package dev.perdure.detect.hb;

import dev.perdure.detect.sync.ThreadState;

/** Definition 1 on the recorded execution, as three questions with one vector clock lookup each. */
public final class HappensBefore {
  private long windowBeforeLoad;
  private long windowRaces;
  private long loadBeforeStore;
  private long loadRaces;

  /** A load now, and a window that was ended before it: a race unless the end happens before. */
  public boolean races(ThreadState loader, int endIndex, int endEpoch) {
    if (loader.knows(endIndex, endEpoch)) {
      windowBeforeLoad++;
      return false;
    }
    windowRaces++;
    return true;
  }

  /** A store now, and a load before it: a race unless the load happens before. */
  public boolean racesWithEarlier(ThreadState storer, int loadIndex, int loadEpoch) {
    if (storer.knows(loadIndex, loadEpoch)) {
      loadBeforeStore++;
      return false;
    }
    loadRaces++;
    return true;
  }

  public long windowBeforeLoad() {
    return windowBeforeLoad;
  }

  public long windowRaces() {
    return windowRaces;
  }

  public long loadBeforeStore() {
    return loadBeforeStore;
  }

  public long loadRaces() {
    return loadRaces;
  }
}
