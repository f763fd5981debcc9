package dev.perdure.detect.finding;

/** The load of a race, now or on record. One object serves a trace. */
public final class Sighting {
  private int origin;
  private int index;
  private int epoch;
  private int lockset;
  private long time;
  private long address;
  private int size;

  /** The load itself; its time is -1 where it is not known. */
  public Sighting load(int origin, int index, int epoch, int lockset, long time) {
    this.origin = origin;
    this.index = index;
    this.epoch = epoch;
    this.lockset = lockset;
    this.time = time;
    return this;
  }

  /** The bytes in common, from the mask of a word at that address. */
  public Sighting at(long word, int mask, int granule) {
    this.address = word + (long) Integer.numberOfTrailingZeros(mask) * granule;
    this.size = Integer.bitCount(mask) * granule;
    return this;
  }

  int origin() {
    return origin;
  }

  int index() {
    return index;
  }

  int epoch() {
    return epoch;
  }

  int lockset() {
    return lockset;
  }

  long time() {
    return time;
  }

  long address() {
    return address;
  }

  int size() {
    return size;
  }
}
