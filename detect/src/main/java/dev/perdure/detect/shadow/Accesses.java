package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;

/** Takes accesses of any size and place apart into the words and lines that they reach. */
public final class Accesses {
  private final ShadowPm shadow;
  private final Persistence persistence;
  private final LoadObserver loads;
  private final Store store = new Store();
  private final long[] lineWords = new long[8];

  public Accesses(ShadowPm shadow, Persistence persistence, LoadObserver loads) {
    this.shadow = shadow;
    this.persistence = persistence;
    this.loads = loads;
  }

  /** A store of up to eight bytes. */
  public void store(
      ThreadState t,
      Event e,
      int origin,
      long address,
      int size,
      long value,
      boolean nonTemporal,
      boolean atomic) {
    store.set(t, e, origin, nonTemporal, atomic);
    int offset = (int) address & 7;
    int mask = (1 << size) - 1 << offset;
    storeWord(address & -8, mask & 0xff, value << 8 * offset);
    if (mask >>> 8 != 0) {
      storeWord((address & -8) + 8, mask >>> 8, value >>> 8 * (8 - offset));
    }
  }

  private void storeWord(long address, int mask, long value) {
    ShadowPage page = shadow.pages().at(address);
    persistence.store(page, persistence.wordAt(page, address), address, mask, store, value, 1);
  }

  /** A store of any length; the bytes are those of the payload from the offset on. */
  public void storeBytes(
      ThreadState t,
      Event e,
      int origin,
      long address,
      long length,
      int offset,
      boolean nonTemporal,
      boolean atomic) {
    store.set(t, e, origin, nonTemporal, atomic);
    long end = address + length;
    for (long a = address; a < end; ) {
      int at = offset + (int) (a - address);
      if ((a & 63) == 0 && end - a >= 64 && storeLine(a, e, at)) {
        a += 64;
        continue;
      }
      int first = (int) a & 7;
      int count = (int) Math.min(8 - first, end - a);
      storeWord(a & -8, (1 << count) - 1 << first, bytes(e, at, count) << 8 * first);
      a += count;
    }
  }

  private boolean storeLine(long address, Event e, int at) {
    ShadowPage page = shadow.pages().at(address);
    int word = persistence.lineWordAt(page, address);
    if (word == 0) {
      return false;
    }
    for (int i = 0; i < 8; i++) {
      lineWords[i] = bytes(e, at + 8 * i, 8);
    }
    int window = persistence.store(page, word, address, 0xff, store, 0, 8);
    if (window != 0) {
      shadow.values().set(shadow.windows(), window, lineWords);
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
  public void load(ThreadState t, Event e, int origin, long address, int size, long value) {
    int offset = (int) address & 7;
    int mask = (1 << size) - 1 << offset;
    loadWord(t, e, origin, address & -8, mask & 0xff, value << 8 * offset, true);
    if (mask >>> 8 != 0) {
      long high = value >>> 8 * (8 - offset);
      loadWord(t, e, origin, (address & -8) + 8, mask >>> 8, high, true);
    }
  }

  /** A load of any length, whose bytes are not known. */
  public void loadBytes(ThreadState t, Event e, int origin, long address, long length) {
    long end = address + length;
    for (long a = address; a < end; ) {
      if ((a & 63) == 0 && end - a >= 64) {
        ShadowPage page = shadow.pages().at(a);
        int word = persistence.lineWordAt(page, a);
        if (word != 0) {
          loadPart(t, e, origin, word, a, 0xff, 0, false, 8);
          a += 64;
          continue;
        }
      }
      int first = (int) a & 7;
      int count = (int) Math.min(8 - first, end - a);
      loadWord(t, e, origin, a & -8, (1 << count) - 1 << first, 0, false);
      a += count;
    }
  }

  private void loadWord(
      ThreadState t, Event e, int origin, long address, int mask, long value, boolean known) {
    ShadowPage page = shadow.pages().at(address);
    loadPart(t, e, origin, persistence.wordAt(page, address), address, mask, value, known, 1);
  }

  private void loadPart(
      ThreadState t,
      Event e,
      int origin,
      int word,
      long address,
      int mask,
      long value,
      boolean known,
      int granule) {
    int[] a = shadow.chunk(word);
    int w = ShadowPm.at(word);
    shadow.ownership().touch(a, w, mask, t.number(), granule);
    if (t.isExempt()) {
      return;
    }
    LoadRecords records = shadow.loads();
    int record = records.find(a, w, mask, origin, t);
    boolean seen =
        record != LoadRecords.NONE && records.isCurrent(a, w, record) && !hasForeignOpen(a, w, t);
    if (!seen && !loads.loaded(a, w, address, mask, value, known, granule, t, e, origin)) {
      return;
    }
    if (records.count(a, w) == 0 || Word.loadsAreBefore(a, w, t)) {
      Word.setLoadFrontier(a, w, t);
    } else {
      Word.clearLoadFrontier(a, w);
    }
    if (record != LoadRecords.NONE) {
      records.renew(a, w, record, origin, t);
    } else {
      records.put(a, w, mask, origin, t);
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
    ShadowPage page = shadow.pages().at(address);
    int word = persistence.wordAt(page, address);
    Word.markAtomic(shadow.chunk(word), ShadowPm.at(word));
  }
}
