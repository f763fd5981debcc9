package dev.perdure.detect.sync;

import dev.perdure.trace.event.MemoryOrder;

/** One atomic location: its last writes, and how far it behaves like a lock. */
public final class AtomicWord {
  public static final AtomicWord NONE = new AtomicWord(0, 0);

  private final long address;
  private final int size;
  private final long[] values = new long[AtomicWords.HISTORY];
  private final Publication[] releases = new Publication[AtomicWords.HISTORY];
  private int writes;
  private final LockWord lock;

  AtomicWord(long address, int size) {
    this.address = address;
    this.size = size;
    this.lock = new LockWord(address);
  }

  public long address() {
    return address;
  }

  public int size() {
    return size;
  }

  /** The value that was written last. */
  public long value() {
    return writes == 0 ? 0 : values[(writes - 1) % AtomicWords.HISTORY];
  }

  public LockWord lock() {
    return lock;
  }

  /** Whether a byte belongs to the location. */
  public boolean covers(long byteAddress) {
    return byteAddress >= address && byteAddress < address + size;
  }

  /** The read half: synchronises with the newest kept write of that value, if it released. */
  public void read(ThreadState thread, long value, boolean acquires) {
    int slot = newest(value);
    if (slot >= 0 && !releases[slot].isEmpty()) {
      if (acquires) {
        releases[slot].teach(thread);
      } else {
        thread.relaxedReads().add(releases[slot]);
      }
    }
  }

  /** A store: what was released before is not carried on. */
  void write(ThreadState thread, long value, int order) {
    Publication release = push(value);
    if (MemoryOrder.releases(order)) {
      release.set(thread);
    } else if (MemoryOrder.atomic(order) && !thread.releaseFence().isEmpty()) {
      release.set(thread.releaseFence());
    }
  }

  /** The write half of a read-modify-write: it carries on what the value it read had released. */
  public void replace(ThreadState thread, long old, long value, int order) {
    int slot = newest(old);
    Publication carried = slot < 0 ? null : releases[slot];
    // The slot that is pushed now is the oldest one, which may be the one that was read.
    Publication release = new Publication();
    if (carried != null) {
      release.add(carried);
    }
    if (MemoryOrder.releases(order)) {
      release.add(thread);
    } else {
      release.add(thread.releaseFence());
    }
    push(value);
    releases[(writes - 1) % AtomicWords.HISTORY] = release;
  }

  private Publication push(long value) {
    int slot = writes++ % AtomicWords.HISTORY;
    values[slot] = value;
    if (releases[slot] == null) {
      releases[slot] = new Publication();
    } else {
      releases[slot].clear();
    }
    return releases[slot];
  }

  private int newest(long value) {
    for (int w = writes - 1; w >= 0 && w >= writes - AtomicWords.HISTORY; w--) {
      if (values[w % AtomicWords.HISTORY] == value) {
        return w % AtomicWords.HISTORY;
      }
    }
    return -1;
  }
}
