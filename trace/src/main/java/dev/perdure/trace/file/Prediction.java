package dev.perdure.trace.file;

import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Arrays;

/**
 * What writer and reader of a trace both know from the events before: it says what the next event
 * is likely to be, and is updated by the same steps on both sides.
 *
 * <p>A <em>shape</em> is what a place in the program repeats: kind, info, site, stack, and how
 * address and value are written. Shapes live in a direct-mapped table; a second table remembers,
 * for the last two shapes of a thread, which one followed. A third table has the last value known
 * at an address.
 */
final class Prediction {
  static final int SHAPES = 1 << 13;
  private static final int FOLLOWERS = 1 << 16;
  private static final int VALUE_BITS = 13;
  private static final int RECENT_THREADS = 64;

  static final ThreadState NO_THREAD = new ThreadState(-1);

  /** How an address is written: not at all (zero), or relative to the thread's last one there. */
  static final int NO_ADDRESS = 0;

  static final int PM_ADDRESS = 1;
  static final int OTHER_ADDRESS = 2;

  /** How a value is written. */
  static final int ZERO = 0;

  static final int KNOWN = 1;
  static final int VARINT = 2;
  static final int FIXED_4 = 3;
  static final int FIXED_8 = 4;
  static final int RELATIVE = 5;

  private static final int INFO_SHIFT = 7;
  private static final int ADDRESS_SHIFT = 15;
  private static final int VALUE_SHIFT = 17;

  /** In the table only: the value is one of memory. */
  private static final int ACCESS = 1 << 20;

  /** In the table only: there is a shape, and its events have no payload. */
  private static final int PLAIN = 1 << 21;

  final int[] heads = new int[SHAPES];
  final int[] sites = new int[SHAPES];
  final int[] stacks = new int[SHAPES];
  final short[] followers = new short[FOLLOWERS];
  final long[] values = new long[2 << VALUE_BITS];
  private final ThreadState[] recentThreads = new ThreadState[RECENT_THREADS];
  private final Int2ObjectOpenHashMap<ThreadState> threads = new Int2ObjectOpenHashMap<>();

  Prediction() {
    Arrays.fill(recentThreads, NO_THREAD);
    Arrays.fill(heads, -1);
  }

  /** What is remembered of one thread. */
  static final class ThreadState {
    final int number;

    /** The last address of each form. */
    final long[] lastAddress = {0, Layout.WINDOW_BASE, 0};

    private int lastShape;
    int context;

    ThreadState(int number) {
      this.number = number;
    }
  }

  /** The thread of a number below 128, if it was among the last ones, or {@link #NO_THREAD}. */
  ThreadState recentThread(int number) {
    ThreadState recent = recentThreads[number & RECENT_THREADS - 1];
    return recent.number == number && number < 128 ? recent : NO_THREAD;
  }

  ThreadState thread(int number) {
    ThreadState recent = recentThreads[number & RECENT_THREADS - 1];
    if (recent.number == number) {
      return recent;
    }
    ThreadState state = threads.computeIfAbsent(number, ThreadState::new);
    recentThreads[number & RECENT_THREADS - 1] = state;
    return state;
  }

  static int head(int kind, int info, int addressForm, int valueForm) {
    return kind | info << INFO_SHIFT | addressForm << ADDRESS_SHIFT | valueForm << VALUE_SHIFT;
  }

  static int kind(int head) {
    return head & Layout.KIND_MASK;
  }

  static int info(int head) {
    return head >>> INFO_SHIFT & 0xff;
  }

  /** Whether a head that was read names forms that there are. */
  static boolean isWellFormed(int head) {
    return head >>> VALUE_SHIFT <= RELATIVE && addressForm(head) <= OTHER_ADDRESS;
  }

  static int addressForm(int head) {
    return head >>> ADDRESS_SHIFT & 3;
  }

  static int valueForm(int head) {
    return head >>> VALUE_SHIFT & 7;
  }

  /** How to write an address. */
  static int addressForm(long address) {
    return address == 0 ? NO_ADDRESS : inWindow(address) ? PM_ADDRESS : OTHER_ADDRESS;
  }

  /** How to write a value that is not known. */
  static int valueForm(long value, long address) {
    if (value >>> 28 == 0) {
      return value == 0 ? ZERO : VARINT;
    }
    if (value >>> 32 == 0) {
      return FIXED_4;
    }
    return value >>> 36 == address >>> 36 ? RELATIVE : FIXED_8;
  }

  /** How to write a value that is known. */
  static int knownForm(long value) {
    return value == 0 ? ZERO : KNOWN;
  }

  static boolean isVarint(int valueForm) {
    return valueForm == VARINT || valueForm == RELATIVE;
  }

  /** The bytes of a value that is not written as a varint. */
  static int fixedLength(int valueForm) {
    return valueForm == FIXED_4 ? 4 : valueForm == FIXED_8 ? 8 : 0;
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

  /** The head of the shape in the slot, negative if there is none. */
  int headAt(int slot) {
    return heads[slot];
  }

  int siteAt(int slot) {
    return sites[slot];
  }

  int stackAt(int slot) {
    return stacks[slot];
  }

  static boolean isPlain(int head) {
    return head >= 0 && (head & PLAIN) != 0;
  }

  static boolean hasAccess(int head) {
    return (head & ACCESS) != 0;
  }

  /** The shape that followed the thread's last two shapes the last time. */
  int expectedSlot(ThreadState thread) {
    return followers[thread.context];
  }

  void followed(ThreadState thread, int slot) {
    followed(followers, thread, slot);
  }

  static void followed(short[] followers, ThreadState thread, int slot) {
    followers[thread.context] = (short) slot;
    thread.context = (thread.lastShape * 0x9E37 ^ slot * 0x85EB) & FOLLOWERS - 1;
    thread.lastShape = slot;
  }

  /** Whether values of the kind are values of memory. */
  static boolean isAccess(int kind) {
    return kind == EventKind.LOAD
        || kind == EventKind.STORE
        || kind == EventKind.STORE_NT
        || kind == EventKind.CAS_FAILED;
  }

  private static int valueIndex(long address) {
    return (int) (address * 0x9E3779B97F4A7C15L >>> 64 - VALUE_BITS) << 1;
  }

  private static long tag(long address, int info) {
    return address << 5 | info & 31;
  }

  /** The last value known of an access's address and size, or 0. */
  long knownValue(long address, int info) {
    return knownValue(values, address, info);
  }

  static long knownValue(long[] values, long address, int info) {
    int i = valueIndex(address);
    return values[i] == tag(address, info) ? values[i + 1] : 0;
  }

  void remember(long address, int info, long value) {
    remember(values, address, info, value);
  }

  static void remember(long[] values, long address, int info, long value) {
    int i = valueIndex(address);
    values[i] = tag(address, info);
    values[i + 1] = value;
  }

  static boolean inWindow(long address) {
    return address >= Layout.WINDOW_BASE && address < Layout.WINDOW_END;
  }
}
