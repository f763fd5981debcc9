package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;
import java.util.Arrays;

/**
 * Store windows: who wrote which bytes of a word, what has become of them, and the details that an
 * example needs. Records are numbered from 1 and recycled. One record is 16 ints, a cache line;
 * some places mean one thing while the window is open and another when it is over. A new window
 * overwrites its record without reading it: a recycled record is in no cache.
 *
 * <pre>
 *   0      1        2        3       4            5         6       7
 *   | next | packed | origin | epoch | lock clock | lockset | order | pending for / end thread |
 *   8                           9                    10..11             12..13   14..15
 *   | flush origin / end origin | race / end lockset | value / end time | time   | serial:16 address:48 |
 * </pre>
 *
 * The serial number is that of the record's use; it tells windows of one event apart.
 */
public final class Windows {
  public static final int DIRTY = 1 << 8;
  public static final int PENDING = 2 << 8;
  public static final int CLOSED = 3 << 8;
  private static final int STATE = 3 << 8;

  /** Takes no part in findings. */
  public static final int EXEMPT = 1 << 10;

  /** Bytes that an allocation handed out and nobody wrote yet. */
  public static final int ALLOCATION = 1 << 11;

  /** The bytes that were written are not known. */
  public static final int NO_VALUE = 1 << 12;

  /** Of a whole line; the value is the number of a block of eight longs. */
  static final int LINE_VALUES = 1 << 13;

  /** Ended by another store. */
  public static final int OVERWRITTEN = 1 << 14;

  /** Pending for more threads than the record names. */
  static final int PENDING_FOR_MORE = 1 << 15;

  /** In the upper half of the time: each word in the mask was stored by itself. */
  private static final int FOLDED = 1 << 31;

  private static final int NOBODY = 0xffff;
  private static final int SERIAL = 0xffff0000;
  private static final int LOG2 = 4;

  /**
   * So many records stay free before one is recycled: those that the stores of a batch will take
   * are then known before it, and can be read ahead.
   */
  private static final int RESERVE = 256;

  /** Log2 of the records in one array. */
  private static final int CHUNK_SHIFT = 14;

  private static final int IN_CHUNK = (1 << CHUNK_SHIFT) - 1;

  /** A large array has a header of 16 bytes: the first record starts at the next cache line. */
  private static final int LEAD = 12;

  private static final int NEXT = LEAD;
  private static final int PACKED = LEAD + 1;
  private static final int ORIGIN = LEAD + 2;
  private static final int EPOCH = LEAD + 3;
  private static final int LOCK_CLOCK = LEAD + 4;
  private static final int LOCKSET = LEAD + 5;
  private static final int ORDER = LEAD + 6;
  private static final int PENDING_FOR = LEAD + 7;
  private static final int END_THREAD = LEAD + 7;
  private static final int FLUSH_ORIGIN = LEAD + 8;
  private static final int END_ORIGIN = LEAD + 8;
  private static final int RACE = LEAD + 9;
  private static final int END_LOCKSET = LEAD + 9;
  private static final int VALUE = LEAD + 10;
  private static final int END_TIME = LEAD + 10;
  private static final int TIME = LEAD + 12;
  private static final int ADDRESS = LEAD + 14;

  /** The first array grows; others follow in one piece, so that nothing is copied. */
  private int[][] chunks = {new int[(64 << LOG2) + LEAD]};

  private int count = 1;

  /** A ring of records that were given back, the oldest first. */
  private int[] free = new int[64];

  private int freeFirst;
  private int freeCount;
  private int serial;

  int allocate() {
    int w;
    if (freeCount > RESERVE) {
      w = free[freeFirst];
      freeFirst = freeFirst + 1 & free.length - 1;
      freeCount--;
    } else {
      w = count++;
      reserve(w);
    }
    return w;
  }

  private void reserve(int w) {
    int last = chunks.length - 1;
    if (w >>> CHUNK_SHIFT > last) {
      chunks = Arrays.copyOf(chunks, last + 2);
      chunks[last + 1] = new int[(1 << CHUNK_SHIFT + LOG2) + LEAD];
    } else if (at(w) + LEAD == chunks[last].length) {
      chunks[last] = Arrays.copyOf(chunks[last], 2 * at(w) + LEAD);
    }
  }

  private int[] chunk(int w) {
    return chunks[w >>> CHUNK_SHIFT];
  }

  private static int at(int w) {
    return (w & IN_CHUNK) << LOG2;
  }

  /** Reads the records that are allocated next. */
  int peek(int n) {
    int sum = 0;
    for (int i = 0; i < Math.min(n, freeCount); i++) {
      int w = free[freeFirst + i & free.length - 1];
      sum += chunk(w)[at(w) + PACKED];
    }
    return sum;
  }

  void release(int w) {
    chunk(w)[at(w) + PACKED] &= ~STATE;
    releaseClosed(w);
  }

  /** A closed window's record is given back, without touching it. */
  void releaseClosed(int w) {
    if (freeCount == free.length) {
      int[] larger = new int[2 * freeCount];
      System.arraycopy(free, freeFirst, larger, 0, freeCount - freeFirst);
      System.arraycopy(free, 0, larger, freeCount - freeFirst, freeFirst);
      free = larger;
      freeFirst = 0;
    }
    free[freeFirst + freeCount++ & free.length - 1] = w;
  }

  /** A copy that is another window. */
  int copy(int w) {
    int c = allocate();
    System.arraycopy(chunk(w), at(w) + LEAD, chunk(c), at(c) + LEAD, 1 << LOG2);
    setAddress(c, address(w), nextSerial());
    return c;
  }

  void open(int w, int packed, int origin, ThreadState t, int order, long address, long time) {
    int[] a = chunk(w);
    int i = at(w);
    a[i + PACKED] = packed | t.index() << 16;
    a[i + ORIGIN] = origin;
    a[i + EPOCH] = t.clock();
    a[i + LOCK_CLOCK] = t.held().clock();
    a[i + LOCKSET] = t.held().set();
    a[i + ORDER] = order;
    a[i + PENDING_FOR] = -1;
    a[i + FLUSH_ORIGIN] = -1;
    a[i + RACE] = -1;
    a[i + TIME] = (int) time;
    a[i + TIME + 1] = (int) (time >>> 32);
    setAddress(w, address, nextSerial());
  }

  void close(int w, int origin, ThreadState t, long time, boolean overwritten) {
    close(w, origin, t.number(), t.held().set(), time, overwritten);
  }

  void close(int w, int origin, int thread, int lockset, long time, boolean overwritten) {
    int[] a = chunk(w);
    int i = at(w);
    a[i + PACKED] |= CLOSED | (overwritten ? OVERWRITTEN : 0);
    a[i + END_ORIGIN] = origin;
    a[i + END_THREAD] = thread;
    a[i + END_LOCKSET] = lockset;
    a[i + END_TIME] = (int) time;
    a[i + END_TIME + 1] = (int) (time >>> 32);
  }

  /** A window of the past, which is over and is closed next. */
  void setPast(
      int w, int mask, int index, int epoch, int origin, int lockset, long address, long time) {
    int[] a = chunk(w);
    int i = at(w);
    a[i + NEXT] = 0;
    a[i + PACKED] = mask | index << 16;
    a[i + ORIGIN] = origin;
    a[i + EPOCH] = epoch;
    a[i + LOCK_CLOCK] = 0;
    a[i + LOCKSET] = lockset;
    a[i + ORDER] = 0;
    a[i + TIME] = (int) time;
    a[i + TIME + 1] = (int) (time >>> 32);
    setAddress(w, address, nextSerial());
  }

  /** The next open window of the word, 0 for none. */
  public int next(int w) {
    return chunk(w)[at(w) + NEXT];
  }

  void setNext(int w, int next) {
    chunk(w)[at(w) + NEXT] = next;
  }

  public int mask(int w) {
    return chunk(w)[at(w) + PACKED] & 0xff;
  }

  void setMask(int w, int mask) {
    chunk(w)[at(w) + PACKED] = chunk(w)[at(w) + PACKED] & ~0xff | mask;
  }

  public int state(int w) {
    return chunk(w)[at(w) + PACKED] & STATE;
  }

  public boolean is(int w, int flag) {
    return (chunk(w)[at(w) + PACKED] & flag) != 0;
  }

  void set(int w, int flag) {
    chunk(w)[at(w) + PACKED] |= flag;
  }

  void unset(int w, int flag) {
    chunk(w)[at(w) + PACKED] &= ~flag;
  }

  public int index(int w) {
    return chunk(w)[at(w) + PACKED] >>> 16;
  }

  /** Whether the thread made the store. */
  public boolean isOf(int w, ThreadState t) {
    return index(w) == t.index() && epoch(w) >= t.firstClock();
  }

  /** Tells windows apart that had the same record one after the other. */
  int stamp(int w) {
    return chunk(w)[at(w) + TIME] ^ chunk(w)[at(w) + ADDRESS + 1] & SERIAL;
  }

  public int origin(int w) {
    return chunk(w)[at(w) + ORIGIN];
  }

  public int epoch(int w) {
    return chunk(w)[at(w) + EPOCH];
  }

  /** HawkSet's logical clock of the thread at the store. */
  public int lockClock(int w) {
    return chunk(w)[at(w) + LOCK_CLOCK];
  }

  public int lockset(int w) {
    return chunk(w)[at(w) + LOCKSET];
  }

  /** The create/join clock at the store. */
  public int order(int w) {
    return chunk(w)[at(w) + ORDER];
  }

  /** Where an open window was flushed, -1 if it was not. */
  public int flushOrigin(int w) {
    return chunk(w)[at(w) + FLUSH_ORIGIN];
  }

  /** Where it was flushed; the first flush counts. */
  void setFlushOrigin(int w, int origin) {
    if (chunk(w)[at(w) + FLUSH_ORIGIN] < 0) {
      chunk(w)[at(w) + FLUSH_ORIGIN] = origin;
    }
  }

  public int endOrigin(int w) {
    return chunk(w)[at(w) + END_ORIGIN];
  }

  /** The number of the thread that ended it. */
  public int endThread(int w) {
    return chunk(w)[at(w) + END_THREAD];
  }

  public int endLockset(int w) {
    return chunk(w)[at(w) + END_LOCKSET];
  }

  void moveTo(int w, long address) {
    setAddress(w, address, chunk(w)[at(w) + ADDRESS + 1] & SERIAL);
  }

  private int nextSerial() {
    serial += 1 << 16;
    return serial;
  }

  private void setAddress(int w, long address, int number) {
    chunk(w)[at(w) + ADDRESS] = (int) address;
    chunk(w)[at(w) + ADDRESS + 1] = (int) (address >>> 32) & ~SERIAL | number;
  }

  /** The race that was last reported of an open window, -1 for none. */
  public int race(int w) {
    return chunk(w)[at(w) + RACE];
  }

  public void setRace(int w, int race) {
    chunk(w)[at(w) + RACE] = race;
  }

  /** The bytes that an open window wrote, each in its lane. */
  public long value(int w) {
    return longAt(chunk(w), at(w) + VALUE);
  }

  void setValue(int w, long value) {
    chunk(w)[at(w) + VALUE] = (int) value;
    chunk(w)[at(w) + VALUE + 1] = (int) (value >>> 32);
  }

  public long time(int w) {
    return longAt(chunk(w), at(w) + TIME) & Long.MAX_VALUE;
  }

  /** The window stands for stores to each word of its mask by itself, or for a single one. */
  void setFolded(int w, boolean folded) {
    int[] a = chunk(w);
    int i = at(w) + TIME + 1;
    a[i] = folded ? a[i] | FOLDED : a[i] & ~FOLDED;
  }

  /** How many stores the window stands for. */
  public int stores(int w) {
    return (chunk(w)[at(w) + TIME + 1] & FOLDED) != 0 ? Integer.bitCount(mask(w)) : 1;
  }

  /** Whether two open windows differ in nothing but address, value and time. */
  boolean tellTheSame(int v, int w) {
    return Arrays.equals(
        chunk(v), at(v) + PACKED, at(v) + VALUE, chunk(w), at(w) + PACKED, at(w) + VALUE);
  }

  public long endTime(int w) {
    return longAt(chunk(w), at(w) + END_TIME);
  }

  /** Of the first byte of its word. */
  public long address(int w) {
    return longAt(chunk(w), at(w) + ADDRESS) & (1L << 48) - 1;
  }

  private static long longAt(int[] a, int i) {
    return a[i] & 0xffffffffL | (long) a[i + 1] << 32;
  }

  /** Whether it is pending for the thread, as far as the record itself tells. */
  boolean namesPending(int w, int index) {
    int pair = chunk(w)[at(w) + PENDING_FOR];
    return (pair & 0xffff) == index || pair >>> 16 == index;
  }

  void addPending(int w, int index) {
    int[] a = chunk(w);
    int i = at(w);
    a[i + PACKED] = a[i + PACKED] & ~STATE | PENDING;
    int pair = a[i + PENDING_FOR];
    if ((pair & 0xffff) == NOBODY) {
      a[i + PENDING_FOR] = pair & 0xffff0000 | index;
    } else if (pair >>> 16 == NOBODY) {
      a[i + PENDING_FOR] = pair & 0xffff | index << 16;
    } else {
      a[i + PACKED] |= PENDING_FOR_MORE;
    }
  }
}
