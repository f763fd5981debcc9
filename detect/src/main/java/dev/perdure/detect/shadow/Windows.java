package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;
import java.util.Arrays;

/**
 * Store windows: who wrote which bytes of a word, what has become of them, and the details that an
 * example needs. Records are numbered from 1 and recycled; the generation of a number changes when
 * its window is over, so that a list of pending flushes can tell.
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

  private static final int NOBODY = 0xffff;
  private static final int INTS = 16;
  private static final int LONGS = 4;

  private static final int NEXT = 0;
  private static final int PACKED = 1;
  private static final int GENERATION = 2;
  private static final int ORIGIN = 3;
  private static final int EPOCH = 4;
  private static final int LOCK_CLOCK = 5;
  private static final int LOCKSET = 6;
  private static final int ORDER = 7;
  private static final int PENDING_FOR = 8;
  private static final int FLUSH_ORIGIN = 9;
  private static final int END_ORIGIN = 10;
  private static final int END_INDEX = 11;
  private static final int END_EPOCH = 12;
  private static final int END_LOCKSET = 13;
  private static final int WORD = 14;
  private static final int RACE = 15;

  private static final int VALUE = 0;
  private static final int TIME = 1;
  private static final int END_TIME = 2;
  private static final int ADDRESS = 3;

  private int[] ints = new int[64 * INTS];
  private long[] longs = new long[64 * LONGS];
  private int count = 1;
  private int free;

  int allocate() {
    int w = free;
    if (w != 0) {
      free = ints[w * INTS + NEXT];
    } else {
      w = count++;
      if (w * INTS >= ints.length) {
        ints = Arrays.copyOf(ints, 2 * ints.length);
        longs = Arrays.copyOf(longs, 2 * longs.length);
      }
    }
    return w;
  }

  void release(int w) {
    int i = w * INTS;
    ints[i + GENERATION]++;
    ints[i + PACKED] = 0;
    ints[i + NEXT] = free;
    free = w;
  }

  /** The window is over, and its record serves for the next one. */
  void retire(int w) {
    ints[w * INTS + GENERATION]++;
  }

  /** A copy that is another window. */
  int copy(int w) {
    int c = allocate();
    int generation = ints[c * INTS + GENERATION];
    System.arraycopy(ints, w * INTS, ints, c * INTS, INTS);
    System.arraycopy(longs, w * LONGS, longs, c * LONGS, LONGS);
    ints[c * INTS + GENERATION] = generation;
    return c;
  }

  void open(
      int w, int packed, int origin, ThreadState t, int order, int word, long address, long time) {
    int i = w * INTS;
    ints[i + PACKED] = packed | t.index() << 16;
    ints[i + ORIGIN] = origin;
    ints[i + EPOCH] = t.clock();
    ints[i + LOCK_CLOCK] = t.held().clock();
    ints[i + LOCKSET] = t.held().set();
    ints[i + ORDER] = order;
    ints[i + PENDING_FOR] = -1;
    ints[i + FLUSH_ORIGIN] = -1;
    ints[i + WORD] = word;
    ints[i + RACE] = -1;
    longs[w * LONGS + TIME] = time;
    longs[w * LONGS + ADDRESS] = address;
  }

  void close(int w, int origin, ThreadState t, long time, boolean overwritten) {
    int i = w * INTS;
    ints[i + GENERATION]++;
    ints[i + PACKED] = ints[i + PACKED] & ~STATE | CLOSED | (overwritten ? OVERWRITTEN : 0);
    ints[i + END_ORIGIN] = origin;
    ints[i + END_INDEX] = t.index();
    ints[i + END_EPOCH] = t.clock();
    ints[i + END_LOCKSET] = t.held().set();
    longs[w * LONGS + END_TIME] = time;
  }

  /** The next open window of the word, 0 for none. */
  public int next(int w) {
    return ints[w * INTS + NEXT];
  }

  void setNext(int w, int next) {
    ints[w * INTS + NEXT] = next;
  }

  public int mask(int w) {
    return ints[w * INTS + PACKED] & 0xff;
  }

  void setMask(int w, int mask) {
    ints[w * INTS + PACKED] = ints[w * INTS + PACKED] & ~0xff | mask;
  }

  public int state(int w) {
    return ints[w * INTS + PACKED] & STATE;
  }

  public boolean is(int w, int flag) {
    return (ints[w * INTS + PACKED] & flag) != 0;
  }

  void set(int w, int flag) {
    ints[w * INTS + PACKED] |= flag;
  }

  void unset(int w, int flag) {
    ints[w * INTS + PACKED] &= ~flag;
  }

  public int index(int w) {
    return ints[w * INTS + PACKED] >>> 16;
  }

  /** Whether the thread made the store. */
  public boolean isOf(int w, ThreadState t) {
    return index(w) == t.index() && epoch(w) >= t.firstClock();
  }

  int generation(int w) {
    return ints[w * INTS + GENERATION];
  }

  public int origin(int w) {
    return ints[w * INTS + ORIGIN];
  }

  public int epoch(int w) {
    return ints[w * INTS + EPOCH];
  }

  /** HawkSet's logical clock of the thread at the store. */
  public int lockClock(int w) {
    return ints[w * INTS + LOCK_CLOCK];
  }

  public int lockset(int w) {
    return ints[w * INTS + LOCKSET];
  }

  /** The create/join clock at the store. */
  public int order(int w) {
    return ints[w * INTS + ORDER];
  }

  /** Where it was flushed, -1 if it was not. */
  public int flushOrigin(int w) {
    return ints[w * INTS + FLUSH_ORIGIN];
  }

  public int endOrigin(int w) {
    return ints[w * INTS + END_ORIGIN];
  }

  public int endIndex(int w) {
    return ints[w * INTS + END_INDEX];
  }

  public int endEpoch(int w) {
    return ints[w * INTS + END_EPOCH];
  }

  public int endLockset(int w) {
    return ints[w * INTS + END_LOCKSET];
  }

  int word(int w) {
    return ints[w * INTS + WORD];
  }

  void moveTo(int w, int word, long address) {
    ints[w * INTS + WORD] = word;
    longs[w * LONGS + ADDRESS] = address;
  }

  /** The race that was last reported while the window was open, -1 for none. */
  public int race(int w) {
    return ints[w * INTS + RACE];
  }

  public void setRace(int w, int race) {
    ints[w * INTS + RACE] = race;
  }

  /** The bytes that were written, each in its lane. */
  public long value(int w) {
    return longs[w * LONGS + VALUE];
  }

  void setValue(int w, long value) {
    longs[w * LONGS + VALUE] = value;
  }

  public long time(int w) {
    return longs[w * LONGS + TIME];
  }

  public long endTime(int w) {
    return longs[w * LONGS + END_TIME];
  }

  /** Of the first byte of its word. */
  public long address(int w) {
    return longs[w * LONGS + ADDRESS];
  }

  /** Whether it is pending for the thread, as far as the record itself tells. */
  boolean namesPending(int w, int index) {
    int pair = ints[w * INTS + PENDING_FOR];
    return (pair & 0xffff) == index || pair >>> 16 == index;
  }

  void addPending(int w, int index) {
    int i = w * INTS;
    ints[i + PACKED] = ints[i + PACKED] & ~STATE | PENDING;
    int pair = ints[i + PENDING_FOR];
    if ((pair & 0xffff) == NOBODY) {
      ints[i + PENDING_FOR] = pair & 0xffff0000 | index;
    } else if (pair >>> 16 == NOBODY) {
      ints[i + PENDING_FOR] = pair & 0xffff | index << 16;
    } else {
      ints[i + PACKED] |= PENDING_FOR_MORE;
    }
  }

  /** Where it was flushed; the first flush counts. */
  void setFlushOrigin(int w, int origin) {
    if (ints[w * INTS + FLUSH_ORIGIN] < 0) {
      ints[w * INTS + FLUSH_ORIGIN] = origin;
    }
  }
}
