package dev.perdure.trace.format;

import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;

/**
 * Offsets, sizes and constants of native/include/perdure_trace.h; event kinds, infos and memory
 * orders are in {@link dev.perdure.trace.event}. Nested classes are the header's structs and have
 * its field names. A test compares all of it with what the C compiler says.
 */
public final class Layout {
  public static final long MAGIC = 0x3145525544524550L;
  public static final int VERSION = 1;

  public static final int ADDR_BITS = 48;
  public static final int KIND_SHIFT = 48;
  public static final int KIND_MASK = 0x7f;
  public static final int LAP_SHIFT = 55;
  public static final int INFO_SHIFT = 56;
  public static final int BLOCK_MAX = 4096;

  /** The time of loads and acquisitions that count as made with the thread's next event. */
  public static final long UNTIMED = 0;

  /** The time of stores, flushes and releases that count as made with the thread's last event. */
  public static final long TIME_OF_LAST = -1;

  /** So many events in a row are untimed or early at the most. */
  public static final int MOST_UNSETTLED = 16;

  /** So much after its stamp, an early acquisition was complete. */
  public static final long EARLY_TICKS = 1L << 17;

  public static final int PAGE = 4096;
  public static final int MAX_RINGS = 4096;
  public static final int MAX_MODULES = 1024;
  public static final int MAX_PROCESSES = 4096;
  public static final int MAX_FILES = 512;
  public static final int SCHEDULE_SLOTS = 512;

  /** For the schedule's MOST_ASLEEP: half of the living threads, but at least one. */
  public static final int HALF_ASLEEP = 0x7fffffff;

  public static final int PATHS_BYTES = 65536;
  public static final int FLAG_LIBRARY_CHANGES = 1;
  public static final int FLAG_LIBRARY_LOADS = 2;

  /** The address of the lock that hardware transactions appear to hold. */
  public static final long TRANSACTION_LOCK = 8;

  public static final long WINDOW_BASE = 0x200000000000L;
  public static final long WINDOW_END = 0x300000000000L;
  public static final long WINDOW_ALIGN = 0x40000000L;
  public static final int BLOCK_SHIFT = 32;
  public static final int BLOCKS = 32768;

  public static final int CLOCK_TSC = 0;
  public static final int CLOCK_COUNTER = 1;

  public static final int RING_UNUSED = 0;
  public static final int RING_LIVE = 1;
  public static final int RING_FREE = 2;

  public static final int PROCESS_INSTRUMENTED = 1;
  public static final int PROCESS_MAPPED_PM = 2;
  public static final int PROCESS_EXECED = 4;
  public static final int PROCESS_ENDED = 8;
  public static final int PROCESS_MAP_FAILED = 16;

  public static final int ACTION_NONE = 0;
  public static final int ACTION_DELAY = 1;
  public static final int ACTION_WAIT = 2;
  public static final int ACTION_SIGNAL = 3;

  public static final String ENV_RECORDING = "PERDURE_RECORDING";

  private static final long EARLY_MASK =
      (long) KIND_MASK << KIND_SHIFT | (long) EventInfo.LOCK_EARLY << INFO_SHIFT;
  private static final long EARLY_ACQUIRE =
      (long) EventKind.ACQUIRE << KIND_SHIFT | (long) EventInfo.LOCK_EARLY << INFO_SHIFT;

  private Layout() {}

  /** Whether the second word of a slot is that of an early acquisition. */
  public static boolean isEarly(long where) {
    return (where & EARLY_MASK) == EARLY_ACQUIRE;
  }

  /** Whether an event counts as made with the next one that has a time of its own. */
  public static boolean isUntimed(int kind, long time) {
    return time == UNTIMED && (kind == EventKind.LOAD || kind == EventKind.ACQUIRE);
  }

  /** Whether an event has a time of its own: one that was read from the clock. */
  public static boolean hasOwnTime(int kind, long time) {
    return time != TIME_OF_LAST && !isUntimed(kind, time);
  }

  /**
   * An event in a ring.
   *
   * <pre>
   *   0        8                                16          20          24         32
   *   | time   | addr:48 kind:7 lap:1 info:8    | site      | stack     | value    |
   * </pre>
   */
  public static final class Slot {
    public static final int TIME = 0;
    public static final int WHERE = 8;
    public static final int SITE = 16;
    public static final int STACK = 20;
    public static final int VALUE = 24;
    public static final int SIZE = 32;

    private Slot() {}
  }

  /** The first page. */
  public static final class Header {
    public static final int MAGIC = 0;
    public static final int VERSION = 8;
    public static final int CLOCK = 12;
    public static final int READER_PID = 16;
    public static final int RING_SLOTS = 20;
    public static final int STACK_SLOTS = 24;
    public static final int FLAGS = 28;
    public static final int SCHEDULE_OFFSET = 32;
    public static final int PATHS_OFFSET = 40;
    public static final int FILES_OFFSET = 48;
    public static final int MODULES_OFFSET = 56;
    public static final int PROCESSES_OFFSET = 64;
    public static final int STACKS_OFFSET = 72;
    public static final int RINGS_OFFSET = 80;
    public static final int DATA_OFFSET = 88;
    public static final int SEED = 96;
    public static final int SAMPLE = 104;
    public static final int RESERVED = 112;
    public static final int SIZE = 4096;

    private Header() {}
  }

  /** The second page: offsets from its start. */
  public static final class Counters {
    public static final int CLOCK = 0;
    public static final int NEXT_THREAD = 64;
    public static final int RINGS = 128;
    public static final int NEXT_SITE = 192;
    public static final int MODULES = 256;
    public static final int PROCESSES = 320;
    public static final int FILES = 384;
    public static final int WINDOW_NEXT = 448;
    public static final int LOST = 512;
    public static final int STACKS_FULL = 576;
    public static final int TABLE_LOCK = 640;
    public static final int STOP = 704;
    public static final int NEXT_LABEL = 768;
    public static final int SIZE = 832;

    private Counters() {}
  }

  /** One ring's descriptor. */
  public static final class Ring {
    public static final int CLAIMED = 0;
    public static final int CONSUMED = 64;
    public static final int STATE = 128;
    public static final int PID = 132;
    public static final int TID = 136;
    public static final int THREAD = 140;
    public static final int WAITS = 144;
    public static final int SIZE = 192;

    private Ring() {}
  }

  /** An entry of the table of PM files. */
  public static final class File {
    public static final int DEV = 0;
    public static final int INO = 8;
    public static final int ADDR = 16;
    public static final int LENGTH = 24;
    public static final int PATH = 32;
    public static final int SIZE = 512;

    private File() {}
  }

  /** An entry of the table of instrumented modules. */
  public static final class Module {
    public static final int BASE = 0;
    public static final int COUNT = 4;
    public static final int PID = 8;
    public static final int READY = 12;
    public static final int ID = 16;
    public static final int PATH = 32;
    public static final int SIZE = 512;

    private Module() {}
  }

  /** An entry of the table of processes. */
  public static final class Process {
    public static final int PID = 0;
    public static final int PARENT = 4;
    public static final int FLAGS = 8;
    public static final int READY = 12;
    public static final int EXE = 16;
    public static final int SIZE = 512;

    private Process() {}
  }

  /** An entry of the table of interned stacks. */
  public static final class Stack {
    public static final int KEY = 0;
    public static final int SIZE = 8;

    private Stack() {}
  }

  /** One action of the schedule. */
  public static final class ScheduleEntry {
    public static final int SITE = 0;
    public static final int ACTION = 4;
    public static final int PROBABILITY = 8;
    public static final int CHANNEL = 12;
    public static final int NANOSECONDS = 16;
    public static final int REACHED = 24;
    public static final int SIZE = 32;

    private ScheduleEntry() {}
  }

  /** The schedule page. */
  public static final class Schedule {
    public static final int ACTIVE = 0;
    public static final int MOST_ASLEEP = 4;
    public static final int RELEASE_NANOSECONDS = 8;
    public static final int ASLEEP = 64;
    public static final int LIVING = 68;
    public static final int CHANNELS = 128;
    public static final int ENTRIES = 192;
    public static final int SIZE = 16576;

    private Schedule() {}
  }
}
