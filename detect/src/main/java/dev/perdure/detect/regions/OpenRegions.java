package dev.perdure.detect.regions;

import dev.perdure.detect.sync.Moments;
import dev.perdure.detect.sync.ThreadState;
import java.util.Arrays;

/**
 * Vardalith's map of open regions (section 4.1.3), by bytes. A region is opened by its
 * announcement, or by the access if none is open for the byte. That of a load is closed by the next
 * release of its thread; that of a store is dirty until the store is persisted, and closed by the
 * next release after that.
 *
 * <p>Invariant: what is open for a thread was opened after its last acquire that taught it
 * something. So a start never lies before the one that is looked back to, whatever a program
 * announces: an access that an exception or a jump out of the function has left out leaves nothing
 * behind that could be taken for the start of another access.
 */
public final class OpenRegions {
  /** An access that is longer opens no region for others. */
  private static final int LONGEST = 4096;

  private static final class OfThread {
    final OpenBytes loads = new OpenBytes();
    final OpenBytes stores = new OpenBytes();
    int acquires;
  }

  private final Moments moments;
  private OfThread[] threads = new OfThread[16];

  public OpenRegions(Moments moments) {
    this.moments = moments;
  }

  /** A region of the thread starts here, unless one is open already. */
  public void open(ThreadState t, boolean store, long address, long length) {
    OpenBytes bytes = bytes(t, store);
    int closing = store ? OpenBytes.DIRTY : t.clock();
    for (long word = first(address, length); word < address + length; word += 8) {
      bytes.open(word, mask(word, address, length), t.clock(), closing, moments.now());
    }
  }

  /** The thread has stored: regions that were clean are dirty again. */
  public void stored(ThreadState t, long address, long length) {
    OpenBytes bytes = bytes(t, true);
    for (long word = first(address, length); word < address + length; word += 8) {
      bytes.close(word, mask(word, address, length), t.clock(), OpenBytes.DIRTY);
    }
  }

  /** A store of the thread was persisted. */
  void persisted(ThreadState t, long address, int mask, int granule) {
    OpenBytes bytes = bytes(t, true);
    if (granule == 1) {
      bytes.close(address, mask, t.clock(), t.clock());
      return;
    }
    for (int bits = mask; bits != 0; bits &= bits - 1) {
      long word = address + 8L * Integer.numberOfTrailingZeros(bits);
      bytes.close(word, 0xff, t.clock(), t.clock());
    }
  }

  /** When the region of an access that the thread makes now has started, for any of the bytes. */
  long start(ThreadState t, boolean store, long address, int mask, int granule) {
    OpenBytes bytes = bytes(t, store);
    long start = moments.now();
    if (granule == 1) {
      return bytes.earliest(address, mask, t.clock(), start);
    }
    for (int bits = mask; bits != 0; bits &= bits - 1) {
      long word = address + 8L * Integer.numberOfTrailingZeros(bits);
      start = bytes.earliest(word, 0xff, t.clock(), start);
    }
    return start;
  }

  private static long first(long address, long length) {
    return length > LONGEST ? Long.MAX_VALUE : address & -8;
  }

  /** Which bytes of a word belong to a range. */
  private static int mask(long word, long address, long length) {
    int from = (int) Math.max(0, address - word);
    int to = (int) Math.min(8, address + length - word);
    return (1 << to) - (1 << from);
  }

  private OpenBytes bytes(ThreadState t, boolean store) {
    int index = t.index();
    if (index >= threads.length) {
      threads = Arrays.copyOf(threads, Math.max(index + 1, 2 * threads.length));
    }
    OfThread own = threads[index];
    if (own == null) {
      own = new OfThread();
      threads[index] = own;
    }
    if (own.acquires != moments.acquires(index)) {
      own.acquires = moments.acquires(index);
      own.loads.clear();
      own.stores.clear();
    }
    return store ? own.stores : own.loads;
  }
}
