package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.Threads;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Gives a line the words that it would have if all that happened to it had been recorded there, and
 * takes them away again where nothing is known but who has touched what.
 */
public final class LineHistory {
  private final ShadowPm shadow;
  private final Threads threads;
  private final IntUnaryOperator effectiveLockset;
  private int block;
  private int lockset;
  private int index;
  private int epoch;
  private long members;
  private long time;
  private long endTime;
  private long touched;
  private long shared;

  /**
   * @param effectiveLockset that of windows which were opened and ended under a lockset
   */
  public LineHistory(ShadowPm shadow, Threads threads, IntUnaryOperator effectiveLockset) {
    this.shadow = shadow;
    this.threads = threads;
    this.effectiveLockset = effectiveLockset;
  }

  /** Makes the words of a line that has none; what is added next is theirs. */
  public void begin(long line, int underLockset) {
    shadow.setLine(line, ShadowArea.ABSENT);
    block = shadow.word(shadow.areas().at(line), line);
    lockset = underLockset;
  }

  /** Who has touched the bytes of a word. */
  public void own(int position, int touched, int shared, int owner) {
    int word = word(position);
    int[] a = shadow.chunk(word);
    int w = ShadowPm.at(word);
    a[w + Word.MASKS] |= touched | shared << Word.SHARED_SHIFT;
    a[w + Word.OWNER] = owner;
    // Records that are added have the version 0, so that none of them counts as checked.
    Word.setVersion(a, w, 1);
  }

  private int word(int position) {
    return block + position * Word.INTS;
  }

  /** What is added next was done by that thread, after all that was added before. */
  public void by(int threadIndex, int atEpoch, long memberBits, long from, long to) {
    index = threadIndex;
    epoch = atEpoch;
    members = memberBits;
    time = from;
    endTime = to;
  }

  public void addLoad(int position, int mask, int origin) {
    int word = word(position);
    LoadRecords loads = shadow.loads();
    loads.addPast(
        shadow.chunk(word), ShadowPm.at(word), mask, origin, lockset, index, epoch, members);
  }

  /** A window that the same thread ended under the same locks. */
  public void addWindow(
      long line, int position, int mask, int origin, int endOrigin, boolean overwritten) {
    Windows windows = shadow.windows();
    int window = windows.allocate();
    int ender = threads.numberOf(index, epoch);
    windows.setPast(window, mask, index, epoch, origin, lockset, line + 8L * position, time);
    windows.close(window, endOrigin, ender, lockset, endTime, overwritten);
    int word = word(position);
    ClosedWindows closed = shadow.closed();
    int effective = effectiveLockset.applyAsInt(lockset);
    closed.addPast(shadow.chunk(word), ShadowPm.at(word), window, effective, epoch, members);
  }

  /**
   * Takes the words of a line away, which stand in the shadow, where nothing is known but who has
   * touched which bytes, and each word has one owner at the most, whose number is not too large.
   * Then {@link #touched}, {@link #shared} and the owners tell what was known.
   */
  public boolean take(long line, int known, int[] owners, int largestOwner) {
    boolean whole = known < 0;
    int first = Math.abs(known);
    int[] a = shadow.chunk(first);
    touched = 0;
    shared = 0;
    for (int i = 0; i < (whole ? 1 : 8); i++) {
      int w = ShadowPm.at(first + i * Word.INTS);
      if (!Word.isUneventful(a, w) || a[w + Word.OWNER] > largestOwner) {
        return false;
      }
      touched |= (long) Word.touched(a, w) << 8 * i;
      shared |= (long) Word.shared(a, w) << 8 * i;
      owners[i] = a[w + Word.OWNER];
    }
    if (whole) {
      Arrays.fill(owners, owners[0]);
      touched = spread(touched);
      shared = spread(shared);
    }
    shadow.shapes().drop(shadow.area(line), ShadowArea.line(line));
    return true;
  }

  private static long spread(long bits) {
    long bytes = 0;
    for (long m = bits; m != 0; m &= m - 1) {
      bytes |= 0xffL << 8 * Long.numberOfTrailingZeros(m);
    }
    return bytes;
  }

  public long touched() {
    return touched;
  }

  public long shared() {
    return shared;
  }
}
