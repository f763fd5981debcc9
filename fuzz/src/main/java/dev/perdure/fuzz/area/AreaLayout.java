package dev.perdure.fuzz.area;

/** Offsets, sizes and constants of native/include/perdure_exploration.h. */
public final class AreaLayout {
  public static final long EXPLORATION_MAGIC = 0x31504d4c50584550L;
  public static final int COVERAGE_BYTES = 65536;
  public static final int SYNC_POINTS = 256;
  public static final int TURNS = 64;
  public static final int CHANGE_POINTS = 8;
  public static final int AWAITED = 64;

  public static final int STRATEGY_NONE = 0;
  public static final int STRATEGY_SYNC_POINTS = 1;
  public static final int STRATEGY_DELAYS = 2;
  public static final int STRATEGY_PRIORITIES = 3;

  public static final int SYNC_LOAD = 1;
  public static final int SYNC_STORE = 2;

  public static final int ANY_WORD = 0;
  public static final int SAME_WORD = 1;
  public static final int NOBODY_WAITS = 2;
  public static final int LOADED_WORD = 3;

  public static final int DISABLED_IN_VAIN = 1;
  public static final int DISABLED_MET = 2;

  public static final String ENV_EXPLORATION = "PERDURE_EXPLORATION";

  private AreaLayout() {}

  /** One sync point. */
  public static final class SyncPoint {
    public static final int SITE = 0;
    public static final int KIND = 4;
    public static final int SKIP = 8;
    public static final int DISABLED = 12;
    public static final int REACHED = 16;
    public static final int SIZE = 24;

    private SyncPoint() {}
  }

  /** One thread's turn. */
  public static final class Turn {
    public static final int THREAD = 0;
    public static final int PRIORITY = 4;
    public static final int LAST = 8;
    public static final int SIZE = 16;

    private Turn() {}
  }

  /** The area. */
  public static final class Exploration {
    public static final int MAGIC = 0;
    public static final int STRATEGY = 8;
    public static final int FIRST = 12;
    public static final int SEED = 16;
    public static final int WRITER_WAIT = 24;
    public static final int READER_WAIT = 32;
    public static final int LONGEST_DELAY = 40;
    public static final int CHANGE_POINTS = 48;
    public static final int SIGNALLED = 128;
    public static final int WAITING = 192;
    public static final int PRIVILEGED = 256;
    public static final int ACCESSES = 320;
    public static final int SHARED = 328;
    public static final int SAME_WORD = 332;
    public static final int MATCHES = 336;
    public static final int FED = 340;
    public static final int FAILED = 344;
    public static final int AWAITED = 352;
    public static final int IDLE = 864;
    public static final int POINTS = 1152;
    public static final int TURNS = 7296;
    public static final int COVERAGE = 8320;
    public static final int SIZE = 73856;

    private Exploration() {}
  }
}
