package dev.perdure.detect.sync;

/**
 * Locks by address, laid out so that the usual acquire or release touches one cache line: an
 * open-addressed table whose slots are four longs.
 *
 * <pre>
 *   | address | number:32 holder:32 | releaser's index:32 epoch:32 | flags |
 * </pre>
 *
 * What the releaser knew, and what readers have released, lie beside it and are needed rarely.
 */
final class LockTable {
  /** Log2 of the longs in a slot. */
  private static final int SLOT = 2;

  /** A large array has a header of 16 bytes: two slots share a cache line from here on. */
  private static final int LEAD = 6;

  private static final int NUMBER = 1;
  private static final int RELEASE = 2;
  private static final int FLAGS = 3;

  /** Readers have released it since a writer did. */
  private static final long READERS = 1;

  /** It was taken exclusively, and not released since. */
  private static final long HELD = 2;

  /** It was once taken while it was held, or released by a thread that did not hold it. */
  private static final long DISTURBED = 4;

  private static final long REMOVED = -1;

  private long[] slots = new long[(64 << SLOT) + LEAD];
  private int[][] known = new int[64][];
  private Publication[] readers = new Publication[64];
  private int used;

  /** Depends on all that was read ahead, so that reading is not optimised away. */
  private long peeked;

  private final LockRegistry registry;

  LockTable(LockRegistry registry) {
    this.registry = registry;
  }

  /** The slot of a lock, which is made where there is none. */
  int slot(long address) {
    int mask = known.length - 1;
    int s = home(address);
    while (slots[at(s)] != address) {
      if (slots[at(s)] == 0) {
        return insert(address);
      }
      s = s + 1 & mask;
    }
    return s;
  }

  private static int at(int slot) {
    return (slot << SLOT) + LEAD;
  }

  private int insert(long address) {
    if (2 * ++used > known.length) {
      rehash();
    }
    int s = free(address);
    slots[at(s)] = address;
    slots[at(s) + NUMBER] = (long) registry.addLock(address) << 32;
    slots[at(s) + RELEASE] = (long) Publication.NOBODY << 32;
    known[s] = Clock.ZERO;
    return s;
  }

  private int free(long address) {
    int s = home(address);
    while (slots[at(s)] != 0) {
      s = s + 1 & known.length - 1;
    }
    return s;
  }

  private void rehash() {
    long[] old = slots;
    int[][] oldKnown = known;
    Publication[] oldReaders = readers;
    int capacity = 2 * known.length;
    slots = new long[(capacity << SLOT) + LEAD];
    known = new int[capacity][];
    readers = new Publication[capacity];
    used = 1;
    for (int i = 0; i < oldKnown.length; i++) {
      long address = old[at(i)];
      if (address != 0 && address != REMOVED) {
        int s = free(address);
        System.arraycopy(old, at(i), slots, at(s), 1 << SLOT);
        known[s] = oldKnown[i];
        readers[s] = oldReaders[i];
        used++;
      }
    }
  }

  /**
   * Mixed twice: one multiplication alone puts locks at some distances, that of a mutex among them,
   * into few slots.
   */
  private int home(long address) {
    long h = address * 0x9E3779B97F4A7C15L;
    h = (h ^ h >>> 32) * 0x9E3779B97F4A7C15L;
    return (int) (h >>> Long.numberOfLeadingZeros(known.length) + 1);
  }

  /** Reads the slots that addresses probably have, and what was known at their releases. */
  void peek(long[] addresses, int n) {
    long[] s = slots;
    int[][] k = known;
    long sum = 0;
    for (int i = 0; i < n; i++) {
      int home = home(addresses[i]);
      sum += s[at(home)] + (k[home] == Clock.ZERO ? 1 : 0);
    }
    peeked += sum;
  }

  void remove(long address) {
    int mask = known.length - 1;
    int s = home(address);
    while (slots[at(s)] != 0) {
      if (slots[at(s)] == address) {
        slots[at(s)] = REMOVED;
        known[s] = Clock.ZERO;
        readers[s] = null;
        return;
      }
      s = s + 1 & mask;
    }
  }

  int number(int s) {
    return (int) (slots[at(s) + NUMBER] >>> 32);
  }

  /** The number of the thread that holds the lock exclusively, or did last. */
  int holder(int s) {
    return (int) slots[at(s) + NUMBER];
  }

  /** It is held exclusively by that thread from now on. */
  void hold(int s, int thread) {
    int i = at(s) + NUMBER;
    slots[i] = slots[i] & 0xffffffff00000000L | thread;
    slots[at(s) + FLAGS] |= HELD;
  }

  boolean isHeld(int s) {
    return (slots[at(s) + FLAGS] & HELD) != 0;
  }

  void disturb(int s) {
    slots[at(s) + FLAGS] |= DISTURBED;
  }

  boolean isDisturbed(int s) {
    return (slots[at(s) + FLAGS] & DISTURBED) != 0;
  }

  /** The thread learns what came with the last exclusive release. */
  void teach(int s, ThreadState thread) {
    long release = slots[at(s) + RELEASE];
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
    slots[at(s) + RELEASE] = (long) thread.index() << 32 | thread.clock();
    known[s] = thread.share();
    thread.tick();
    long flags = slots[at(s) + FLAGS];
    slots[at(s) + FLAGS] = flags & DISTURBED;
    if ((flags & READERS) != 0) {
      readers[s].clear();
    }
  }

  /** A release by a thread that does not hold the lock: it adds to what was released. */
  void addRelease(int s, ThreadState thread) {
    Publication sum = new Publication();
    long release = slots[at(s) + RELEASE];
    sum.set(known[s], (int) (release >> 32), (int) release);
    sum.add(thread);
    slots[at(s) + RELEASE] = (long) sum.index() << 32 | sum.epoch();
    known[s] = sum.known();
  }

  void addReader(int s, ThreadState thread) {
    if (readers[s] == null) {
      readers[s] = new Publication();
    }
    readers[s].add(thread);
    slots[at(s) + FLAGS] |= READERS;
  }

  void teachReaders(int s, ThreadState thread) {
    if ((slots[at(s) + FLAGS] & READERS) != 0) {
      readers[s].teach(thread);
    }
  }
}
