package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;

/** Takes accesses of any size and place apart into the words and lines that they reach. */
public final class Accesses {
  private final ShadowPm shadow;
  private final Persistence persistence;
  private final LoadObserver observer;
  private final long[] lineWords = new long[8];

  public Accesses(ShadowPm shadow, Persistence persistence, LoadObserver observer) {
    this.shadow = shadow;
    this.persistence = persistence;
    this.observer = observer;
  }

  /** A store of up to eight bytes. */
  public void store(Access access, long address, int size, long value, StoreKind kind) {
    int offset = (int) address & 7;
    int mask = (1 << size) - 1 << offset;
    storeWord(access, address & -8, mask & 0xff, value << 8 * offset, kind);
    if (mask >>> 8 != 0) {
      storeWord(access, (address & -8) + 8, mask >>> 8, value >>> 8 * (8 - offset), kind);
    }
  }

  private void storeWord(Access access, long address, int mask, long value, StoreKind kind) {
    persistence.store(word(access, address), address, mask, access, kind, value, 1);
  }

  /** A store of any length; the bytes are those of the event's payload from the offset on. */
  public void storeBytes(
      Access access, long address, long length, Event e, int offset, StoreKind kind) {
    long end = address + length;
    for (long a = address; a < end; ) {
      int at = offset + (int) (a - address);
      if ((a & 63) == 0 && end - a >= 64 && storeLine(access, a, e, at, kind)) {
        a += 64;
        continue;
      }
      int first = (int) a & 7;
      int count = (int) Math.min(8 - first, end - a);
      int mask = (1 << count) - 1 << first;
      storeWord(access, a & -8, mask, bytes(e, at, count) << 8 * first, kind);
      a += count;
    }
  }

  private boolean storeLine(Access access, long address, Event e, int at, StoreKind kind) {
    ShadowArea area = shadow.areas().at(address);
    int word = persistence.lineWordAt(area, address);
    if (word == 0) {
      return false;
    }
    for (int i = 0; i < 8; i++) {
      lineWords[i] = bytes(e, at + 8 * i, 8);
    }
    int window = persistence.store(word, address, 0xff, access, kind, 0, 8);
    if (window != 0) {
      shadow.values().set(shadow.windows(), window, lineWords, 0xff);
    }
    return true;
  }

  private static long bytes(Event e, int at, int count) {
    if (count == 8 && at + 8 <= e.payloadLength()) {
      return e.payloadLong(at);
    }
    long value = 0;
    for (int i = 0; i < count && at + i < e.payloadLength(); i++) {
      value |= (e.payload()[at + i] & 0xffL) << 8 * i;
    }
    return value;
  }

  /** A load of up to eight bytes. */
  public void load(Access access, long address, int size, long value) {
    int offset = (int) address & 7;
    int mask = (1 << size) - 1 << offset;
    loadWord(access, address & -8, mask & 0xff, value << 8 * offset, true);
    if (mask >>> 8 != 0) {
      loadWord(access, (address & -8) + 8, mask >>> 8, value >>> 8 * (8 - offset), true);
    }
  }

  /** A load of any length, whose bytes are not known. */
  public void loadBytes(Access access, long address, long length) {
    long end = address + length;
    for (long a = address; a < end; ) {
      if ((a & 63) == 0 && end - a >= 64) {
        int word = persistence.lineWordAt(shadow.areas().at(a), a);
        if (word != 0) {
          loadPart(access, word, a, 0xff, 0, false, 8);
          a += 64;
          continue;
        }
      }
      int first = (int) a & 7;
      int count = (int) Math.min(8 - first, end - a);
      loadWord(access, a & -8, (1 << count) - 1 << first, 0, false);
      a += count;
    }
  }

  private void loadWord(Access access, long address, int mask, long value, boolean known) {
    loadPart(access, word(access, address), address, mask, value, known, 1);
  }

  private int word(Access access, long address) {
    return access.expects(address)
        ? access.word()
        : persistence.wordAt(shadow.areas().at(address), address);
  }

  private void loadPart(
      Access access, int word, long address, int mask, long value, boolean known, int granule) {
    int[] a = shadow.chunk(word);
    int w = ShadowPm.at(word);
    ThreadState t = access.thread();
    shadow.ownership().touch(a, w, mask, t.number(), granule);
    if (t.isExempt()) {
      return;
    }
    LoadRecords records = shadow.loads();
    if (Word.open(a, w) == 0 && records.renewOrdered(a, w, mask, access.origin(), t)) {
      return;
    }
    int record = records.find(a, w, mask, access.origin(), t);
    boolean seen =
        record != LoadRecords.NONE
            && records.isCurrent(a, w, record, t)
            && !hasForeignOpen(a, w, t);
    if (!seen && !observer.loaded(a, w, address, mask, value, known, granule, access)) {
      return;
    }
    if (record != LoadRecords.NONE) {
      records.renew(a, w, record, access.origin(), t);
    } else {
      records.put(a, w, mask, access.origin(), t);
    }
  }

  private boolean hasForeignOpen(int[] a, int w, ThreadState t) {
    for (int window = Word.open(a, w); window != 0; window = shadow.windows().next(window)) {
      if (!shadow.windows().isOf(window, t)) {
        return true;
      }
    }
    return false;
  }

  /** The word has atomic locations from now on. */
  public void markAtomic(long address) {
    ShadowArea area = shadow.areas().at(address);
    int word = persistence.wordAt(area, address);
    Word.markAtomic(shadow.chunk(word), ShadowPm.at(word));
  }
}
