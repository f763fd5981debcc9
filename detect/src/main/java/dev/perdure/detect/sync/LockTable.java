package dev.perdure.detect.sync;

/**
 * Locks by address, laid out so that the usual acquire or release touches one cache line: an
 * open-addressed table whose slots are four longs.
 *
 * <pre>
 *   | address | number:32 holder:32 | releaser's index:32 epoch:32 | unused |
 * </pre>
 *
 * What the releaser knew, and what readers have released, lie beside it and are needed rarely.
 */
final class LockTable {
  /** Log2 of the longs in a slot. */
  private static final int SLOT = 2;

  private static final int NUMBER = 1;
  private static final int RELEASE = 2;
  private static final long REMOVED = -1;

  private long[] slots = new long[64 << SLOT];
  private int[][] known = new int[64][];
  private Publication[] readers = new Publication[64];
  private int used;
  private final LockRegistry registry;

  LockTable(LockRegistry registry) {
    this.registry = registry;
  }

  /** The slot of a lock, which is made where there is none. */
  int slot(long address) {
    int mask = known.length - 1;
    int s = hash(address) & mask;
    while (slots[s << SLOT] != address) {
      if (slots[s << SLOT] == 0) {
        return insert(address);
      }
      s = s + 1 & mask;
    }
    return s;
  }

  private int insert(long address) {
    if (2 * ++used > known.length) {
      rehash();
    }
    int s = free(address);
    slots[s << SLOT] = address;
    slots[(s << SLOT) + NUMBER] = (long) registry.addLock(address) << 32;
    slots[(s << SLOT) + RELEASE] = (long) Publication.NOBODY << 32;
    known[s] = Clock.ZERO;
    return s;
  }

  private int free(long address) {
    int s = hash(address) & known.length - 1;
    while (slots[s << SLOT] != 0) {
      s = s + 1 & known.length - 1;
    }
    return s;
  }

  private void rehash() {
    long[] old = slots;
    int[][] oldKnown = known;
    Publication[] oldReaders = readers;
    int capacity = 2 * known.length;
    slots = new long[capacity << SLOT];
    known = new int[capacity][];
    readers = new Publication[capacity];
    used = 1;
    for (int i = 0; i < oldKnown.length; i++) {
      long address = old[i << SLOT];
      if (address != 0 && address != REMOVED) {
        int s = free(address);
        System.arraycopy(old, i << SLOT, slots, s << SLOT, 1 << SLOT);
        known[s] = oldKnown[i];
        readers[s] = oldReaders[i];
        used++;
      }
    }
  }

  private static int hash(long address) {
    long h = address * 0x9E3779B97F4A7C15L;
    return (int) (h >>> 32 ^ h >>> 12);
  }

  /** Reads the slot that an address probably has. */
  int peek(long address) {
    int s = hash(address) & known.length - 1;
    return (int) slots[s << SLOT] + (known[s] == Clock.ZERO ? 1 : 0);
  }

  void remove(long address) {
    int s = slot(address);
    slots[s << SLOT] = REMOVED;
    known[s] = Clock.ZERO;
    readers[s] = null;
  }

  int number(int s) {
    return (int) (slots[(s << SLOT) + NUMBER] >>> 32);
  }

  /** The number of the thread that holds the lock exclusively, or did last. */
  int holder(int s) {
    return (int) slots[(s << SLOT) + NUMBER];
  }

  void setHolder(int s, int thread) {
    int i = (s << SLOT) + NUMBER;
    slots[i] = slots[i] & 0xffffffff00000000L | thread;
  }

  /** The thread learns what came with the last exclusive release. */
  void teach(int s, ThreadState thread) {
    long release = slots[(s << SLOT) + RELEASE];
    int index = (int) (release >> 32);
    if (index >= 0) {
      if (!thread.knows(index, (int) release)) {
        thread.learn(known[s], index, (int) release);
      }
    } else if (index == Publication.SEVERAL && !thread.knowsAll(known[s])) {
      thread.learn(known[s], index, 0);
    }
  }

  /** An exclusive release by the holder, who knows all that was released before. */
  void release(int s, ThreadState thread) {
    slots[(s << SLOT) + RELEASE] = (long) thread.index() << 32 | thread.clock();
    known[s] = thread.share();
    thread.tick();
    readers[s] = null;
  }

  /** A release by a thread that does not hold the lock: it adds to what was released. */
  void addRelease(int s, ThreadState thread) {
    Publication sum = new Publication();
    long release = slots[(s << SLOT) + RELEASE];
    sum.set(known[s], (int) (release >> 32), (int) release);
    sum.add(thread);
    slots[(s << SLOT) + RELEASE] = (long) sum.index() << 32 | sum.epoch();
    known[s] = sum.known();
  }

  void addReader(int s, ThreadState thread) {
    if (readers[s] == null) {
      readers[s] = new Publication();
    }
    readers[s].add(thread);
  }

  void teachReaders(int s, ThreadState thread) {
    if (readers[s] != null) {
      readers[s].teach(thread);
    }
  }
}
