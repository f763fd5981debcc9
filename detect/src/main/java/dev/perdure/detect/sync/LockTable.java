package dev.perdure.detect.sync;

import java.util.Arrays;

/**
 * Locks by address, laid out so that the usual acquire or release touches one cache line: an
 * open-addressed table whose slots are 16 ints.
 *
 * <pre>
 *   | address:48 flags:8 length:8 | number | holder | releaser's index | epoch | what the releaser knew: 10 |
 * </pre>
 *
 * The knowledge of a releaser who knows of more threads than that, or of several releasers, and
 * what readers have released, lie beside it and are needed rarely.
 */
final class LockTable {
  /** Log2 of the ints in a slot. */
  private static final int SLOT = 4;

  /** A large array has a header of 16 bytes: slots are cache lines from here on. */
  private static final int LEAD = 12;

  private static final int HIGH = 1;
  private static final int NUMBER = 2;
  private static final int HOLDER = 3;
  private static final int INDEX = 4;
  private static final int EPOCH = 5;
  private static final int KNOWN = 6;

  /** Longer clocks lie beside the table. */
  private static final int LONGEST = (1 << SLOT) - KNOWN;

  private static final int BESIDE = 0xff;

  /** Readers have released it since a writer did. */
  private static final int READERS = 1 << 16;

  /** It was taken exclusively, and not released since. */
  private static final int HELD = 2 << 16;

  /** It was once taken while it was held, or released by a thread that did not hold it. */
  private static final int DISTURBED = 4 << 16;

  private static final int LENGTH_SHIFT = 24;
  private static final int ADDRESS_HIGH = 0xffff;
  private static final long REMOVED = (1L << 48) - 1;

  private int[] slots = new int[(64 << SLOT) + LEAD];
  private int capacity = 64;

  /** By half of the number, which is even. */
  private int[][] beside = new int[64][];

  private Publication[] readers = new Publication[64];
  private int used;

  /** Depends on all that was read ahead, so that reading is not optimised away. */
  private int peeked;

  private final LockRegistry registry;

  LockTable(LockRegistry registry) {
    this.registry = registry;
  }

  /** The slot of a lock, which is made where there is none. */
  int slot(long address) {
    int s = home(address);
    for (long there = address(s); there != address; there = address(s)) {
      if (there == 0) {
        return insert(address);
      }
      s = s + 1 & capacity - 1;
    }
    return s;
  }

  private static int at(int slot) {
    return (slot << SLOT) + LEAD;
  }

  private long address(int s) {
    int i = at(s);
    return slots[i] & 0xffffffffL | (long) (slots[i + HIGH] & ADDRESS_HIGH) << 32;
  }

  private int insert(long address) {
    if (4 * ++used > 3 * capacity) {
      rehash();
    }
    int s = free(address);
    int i = at(s);
    slots[i] = (int) address;
    slots[i + HIGH] = (int) (address >>> 32) & ADDRESS_HIGH;
    slots[i + NUMBER] = registry.addLock(address);
    slots[i + HOLDER] = 0;
    slots[i + INDEX] = Publication.NOBODY;
    return s;
  }

  private int free(long address) {
    int s = home(address);
    while (address(s) != 0) {
      s = s + 1 & capacity - 1;
    }
    return s;
  }

  private void rehash() {
    int[] old = slots;
    int oldCapacity = capacity;
    capacity *= 2;
    slots = new int[(capacity << SLOT) + LEAD];
    used = 1;
    for (int i = 0; i < oldCapacity; i++) {
      long address = old[at(i)] & 0xffffffffL | (long) (old[at(i) + HIGH] & ADDRESS_HIGH) << 32;
      if (address != 0 && address != REMOVED) {
        System.arraycopy(old, at(i), slots, at(free(address)), 1 << SLOT);
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
    return (int) (h >>> Long.numberOfLeadingZeros(capacity) + 1);
  }

  /** Reads the slots that addresses probably have. */
  void peek(long[] addresses, int n) {
    int[] s = slots;
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += s[at(home(addresses[i]))];
    }
    peeked += sum;
  }

  void remove(long address) {
    for (int s = home(address); address(s) != 0; s = s + 1 & capacity - 1) {
      if (address(s) == address) {
        int i = at(s);
        slots[i] = (int) REMOVED;
        slots[i + HIGH] = (int) (REMOVED >>> 32);
        drop(slots[i + NUMBER] >>> 1);
        return;
      }
    }
  }

  private void drop(int i) {
    if (i < beside.length) {
      beside[i] = null;
    }
    if (i < readers.length) {
      readers[i] = null;
    }
  }

  int number(int s) {
    return slots[at(s) + NUMBER];
  }

  /** The number of the thread that holds the lock exclusively, or did last. */
  int holder(int s) {
    return slots[at(s) + HOLDER];
  }

  /** It is held exclusively by that thread from now on. */
  void hold(int s, int thread) {
    slots[at(s) + HOLDER] = thread;
    slots[at(s) + HIGH] |= HELD;
  }

  boolean isHeld(int s) {
    return (slots[at(s) + HIGH] & HELD) != 0;
  }

  void disturb(int s) {
    slots[at(s) + HIGH] |= DISTURBED;
  }

  boolean isDisturbed(int s) {
    return (slots[at(s) + HIGH] & DISTURBED) != 0;
  }

  /** The thread learns what came with the last exclusive release. */
  void teach(int s, ThreadState thread) {
    int i = at(s);
    int index = slots[i + INDEX];
    int length = slots[i + HIGH] >>> LENGTH_SHIFT;
    if (index >= 0) {
      if (thread.knows(index, slots[i + EPOCH])) {
        return;
      }
      if (length != BESIDE) {
        thread.learn(slots, i + KNOWN, length, index, slots[i + EPOCH]);
      } else {
        thread.learn(beside[number(s) >>> 1], index, slots[i + EPOCH]);
      }
    } else if (index == Publication.SEVERAL && !thread.knowsAll(beside[number(s) >>> 1])) {
      thread.learn(beside[number(s) >>> 1], index, 0);
    }
  }

  /** An exclusive release by the holder, who knows all that was released before. */
  void release(int s, ThreadState thread) {
    publish(s, thread);
    thread.tick();
  }

  /** The same by a holder that has died: where its end was seen, nothing of it follows. */
  void releaseAtEnd(int s, ThreadState thread) {
    publish(s, thread);
    if (!thread.hasEnded()) {
      thread.tick();
    }
  }

  private void publish(int s, ThreadState thread) {
    int i = at(s);
    int flags = slots[i + HIGH];
    int length = thread.knownLength();
    slots[i + INDEX] = thread.index();
    slots[i + EPOCH] = thread.clock();
    if (length <= LONGEST) {
      thread.tell(slots, i + KNOWN);
    } else {
      setBeside(s, thread.share());
      length = BESIDE;
    }
    slots[i + HIGH] = flags & (DISTURBED | ADDRESS_HIGH) | length << LENGTH_SHIFT;
    if ((flags & READERS) != 0) {
      readers[number(s) >>> 1].clear();
    }
  }

  /** A release by a thread that does not hold the lock: it adds to what was released. */
  void addRelease(int s, ThreadState thread) {
    int i = at(s);
    Publication sum = new Publication();
    sum.set(known(s), slots[i + INDEX], slots[i + EPOCH]);
    sum.add(thread);
    slots[i + INDEX] = sum.index();
    slots[i + EPOCH] = sum.epoch();
    slots[i + HIGH] |= BESIDE << LENGTH_SHIFT;
    setBeside(s, sum.known());
  }

  private void setBeside(int s, int[] known) {
    int i = number(s) >>> 1;
    beside = LongIndex.fit(beside, i);
    beside[i] = known;
  }

  private int[] known(int s) {
    int i = at(s);
    int length = slots[i + HIGH] >>> LENGTH_SHIFT;
    return length == BESIDE
        ? beside[number(s) >>> 1]
        : Arrays.copyOfRange(slots, i + KNOWN, i + KNOWN + length);
  }

  void addReader(int s, ThreadState thread) {
    int i = number(s) >>> 1;
    if (i >= readers.length) {
      readers = Arrays.copyOf(readers, Math.max(i + 1, 2 * readers.length));
    }
    if (readers[i] == null) {
      readers[i] = new Publication();
    }
    readers[i].add(thread);
    slots[at(s) + HIGH] |= READERS;
  }

  void teachReaders(int s, ThreadState thread) {
    if ((slots[at(s) + HIGH] & READERS) != 0) {
      readers[number(s) >>> 1].teach(thread);
    }
  }
}
