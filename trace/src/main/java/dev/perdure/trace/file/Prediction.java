package dev.perdure.trace.file;

import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.util.Arrays;

/**
 * What writer and reader of a trace both know from the events before: it says what the next event
 * is likely to be, and is updated by the same steps on both sides.
 *
 * <p>A <em>shape</em> is what a place in the program repeats: kind, info, site, stack, and how
 * address and value are written. Shapes live in a direct-mapped table; a second table remembers,
 * for the last shapes of a thread, which one followed. A third table has the last value known at an
 * address. Threads have rows of a table each, by the lowest bits of their numbers.
 *
 * <p>All of it is in plain arrays, for the loops that keep them at hand.
 */
final class Prediction {
  static final int SHAPES = 1 << 13;
  static final int THREADS = 1 << 8;
  private static final int FOLLOWERS = 1 << 16;
  private static final int VALUE_BITS = 13;

  /** How an address is written: not at all (zero), or relative to the thread's last one there. */
  static final int NO_ADDRESS = 0;

  static final int PM_ADDRESS = 1;
  static final int OTHER_ADDRESS = 2;

  private static final int INFO_SHIFT = 7;
  private static final int ADDRESS_SHIFT = 15;

  /** The value is written relative to the address. */
  static final int RELATIVE = 1 << 17;

  /** What of a head in the table is written. */
  static final int HEAD_MASK = (1 << 18) - 1;

  /** In the table only: the value is one of memory. */
  private static final int ACCESS = 1 << 18;

  /** In the table only: there is a shape, and its events have no payload. */
  private static final int PLAIN = 1 << 19;

  final int[] heads = new int[SHAPES];
  final int[] sites = new int[SHAPES];
  final int[] stacks = new int[SHAPES];
  final short[] followers = new short[FOLLOWERS];
  final long[] values = new long[2 << VALUE_BITS];

  /** The number of the thread that has the row. */
  final int[] threads = new int[THREADS];

  /** What the thread's last shapes were. */
  final int[] contexts = new int[THREADS];

  /** The thread's last addresses, by their form: at {@link #addressIndex}. */
  final long[] addresses = new long[THREADS << 2];

  Prediction() {
    Arrays.fill(heads, -1);
    for (int i = 0; i < THREADS; i++) {
      begin(i, i);
    }
  }

  private void begin(int row, int thread) {
    threads[row] = thread;
    contexts[row] = 0;
    Arrays.fill(addresses, row << 2, row + 1 << 2, 0);
    addresses[addressIndex(row, PM_ADDRESS)] = Layout.WINDOW_BASE;
  }

  static int row(int thread) {
    return thread & THREADS - 1;
  }

  /** Finds the thread's row; one that another thread had begins anew. */
  int rowFor(int thread) {
    int row = row(thread);
    if (threads[row] != thread) {
      begin(row, thread);
    }
    return row;
  }

  static int addressIndex(int row, int form) {
    return row << 2 | form;
  }

  static int head(int kind, int info, int addressForm, int relative) {
    return kind | info << INFO_SHIFT | addressForm << ADDRESS_SHIFT | relative;
  }

  static int kind(int head) {
    return head & Layout.KIND_MASK;
  }

  static int info(int head) {
    return head >>> INFO_SHIFT & 0xff;
  }

  /** Whether a head that was read names forms that there are. */
  static boolean isWellFormed(int head) {
    return (head & ~HEAD_MASK) == 0 && addressForm(head) <= OTHER_ADDRESS;
  }

  static int addressForm(int head) {
    return head >>> ADDRESS_SHIFT & 3;
  }

  /** How to write an address. */
  static int addressForm(long address) {
    return address == 0 ? NO_ADDRESS : inWindow(address) ? PM_ADDRESS : OTHER_ADDRESS;
  }

  /** {@link #RELATIVE} for a value that looks like an address near the event's, else 0. */
  static int relative(long value, long address) {
    return value >>> 36 == address >>> 36 && value >>> 36 != 0 ? RELATIVE : 0;
  }

  static boolean isRelative(int head) {
    return (head & RELATIVE) != 0;
  }

  /** Where a shape belongs in the table. */
  static int slot(int head, int site, int stack) {
    int h = (head * 0x9E3779B1 ^ site) * 0x85EBCA6B ^ stack;
    h *= 0xC2B2AE35;
    return (h ^ h >>> 15) & SHAPES - 1;
  }

  boolean holds(int slot, int head, int site, int stack) {
    return sites[slot] == site && heads[slot] == completed(head) && stacks[slot] == stack;
  }

  private static int completed(int head) {
    int kind = kind(head);
    return head | (isAccess(kind) ? ACCESS : 0) | (Payload.possible(kind) ? 0 : PLAIN);
  }

  void put(int slot, int head, int site, int stack) {
    heads[slot] = completed(head);
    sites[slot] = site;
    stacks[slot] = stack;
  }

  static boolean isPlain(int head) {
    return head >= 0 && (head & PLAIN) != 0;
  }

  static boolean hasAccess(int head) {
    return (head & ACCESS) != 0;
  }

  /** The context of a thread after one more shape: the last two are in it. */
  static int context(int before, int slot) {
    return (before << 8 ^ slot * 0x85EB) & FOLLOWERS - 1;
  }

  /** Says which shape followed in the thread. */
  void followed(int row, int slot) {
    followers[contexts[row]] = (short) slot;
    contexts[row] = context(contexts[row], slot);
  }

  /** Whether values of the kind are values of memory. */
  static boolean isAccess(int kind) {
    return kind == EventKind.LOAD
        || kind == EventKind.STORE
        || kind == EventKind.STORE_NT
        || kind == EventKind.CAS_FAILED;
  }

  static int valueIndex(long address) {
    return (int) (address * 0x9E3779B97F4A7C15L >>> 64 - VALUE_BITS) << 1;
  }

  static long tag(long address, int info) {
    return address << 5 | info & 31;
  }

  /** The last value known of an access's address and size, or 0. */
  long knownValue(long address, int info) {
    int i = valueIndex(address);
    return values[i] == tag(address, info) ? values[i + 1] : 0;
  }

  void remember(long address, int info, long value) {
    int i = valueIndex(address);
    values[i] = tag(address, info);
    values[i + 1] = value;
  }

  static boolean inWindow(long address) {
    return address >= Layout.WINDOW_BASE && address < Layout.WINDOW_END;
  }
}
