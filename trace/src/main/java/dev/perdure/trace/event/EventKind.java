package dev.perdure.trace.event;

/** The numbers of the event kinds, as in perdure_trace.h. */
public final class EventKind {
  public static final int PAD = 0;
  public static final int LOAD = 1;
  public static final int STORE = 2;
  public static final int STORE_NT = 3;
  public static final int RMW = 4;
  public static final int CAS_FAILED = 5;
  public static final int LOAD_BLOCK = 6;
  public static final int STORE_BLOCK = 7;
  public static final int STORE_NT_BLOCK = 8;
  public static final int FLUSH = 10;
  public static final int FENCE = 11;
  public static final int PERSIST = 12;
  public static final int ACQUIRE = 16;
  public static final int RELEASE = 17;
  public static final int BARRIER_INIT = 18;
  public static final int BARRIER_ENTER = 19;
  public static final int BARRIER_LEAVE = 20;
  public static final int SEM_POST = 21;
  public static final int SEM_WAIT = 22;
  public static final int ONCE_DONE = 23;
  public static final int ONCE_PASS = 24;
  public static final int COND_SIGNAL = 25;
  public static final int SYNC_DESTROY = 26;
  public static final int DELAY = 27;
  public static final int THREAD_BEGIN = 32;
  public static final int THREAD_CREATE = 33;
  public static final int THREAD_END = 34;
  public static final int THREAD_JOIN = 35;
  public static final int THREAD_DETACH = 36;
  public static final int PROCESS_BEGIN = 37;
  public static final int PROCESS_FORK = 38;
  public static final int PROCESS_EXEC = 39;
  public static final int PROCESS_EXIT = 40;
  public static final int MAP = 44;
  public static final int UNMAP = 45;
  public static final int PM_RANGE = 46;
  public static final int ALLOC = 48;
  public static final int FREE = 49;
  public static final int TX_BEGIN = 50;
  public static final int TX_COMMIT = 51;
  public static final int TX_ABORT = 52;
  public static final int TX_END = 53;
  public static final int TX_ADD = 54;
  public static final int LIBRARY_ENTER = 55;
  public static final int LIBRARY_LEAVE = 56;
  public static final int ROI_BEGIN = 64;
  public static final int ROI_END = 65;
  public static final int RELAXED_BEGIN = 66;
  public static final int RELAXED_END = 67;
  public static final int FAILURE_POINT = 68;
  public static final int SKIP_FAILURES_BEGIN = 69;
  public static final int SKIP_FAILURES_END = 70;
  public static final int SKIP_DETECTION_BEGIN = 71;
  public static final int SKIP_DETECTION_END = 72;
  public static final int DETECTION_COMPLETE = 73;
  public static final int COMMIT_VAR = 74;
  public static final int COMMIT_RANGE = 75;
  public static final int SYNC_VAR = 76;
  public static final int LABEL = 80;
  public static final int LABEL_UNION = 81;
  public static final int EFFECT = 82;
  public static final int REGION_START = 84;

  private static final String[] NAMES = new String[128];

  static {
    NAMES[PAD] = "pad";
    NAMES[LOAD] = "load";
    NAMES[STORE] = "store";
    NAMES[STORE_NT] = "store_nt";
    NAMES[RMW] = "rmw";
    NAMES[CAS_FAILED] = "cas_failed";
    NAMES[LOAD_BLOCK] = "load_block";
    NAMES[STORE_BLOCK] = "store_block";
    NAMES[STORE_NT_BLOCK] = "store_nt_block";
    NAMES[FLUSH] = "flush";
    NAMES[FENCE] = "fence";
    NAMES[PERSIST] = "persist";
    NAMES[ACQUIRE] = "acquire";
    NAMES[RELEASE] = "release";
    NAMES[BARRIER_INIT] = "barrier_init";
    NAMES[BARRIER_ENTER] = "barrier_enter";
    NAMES[BARRIER_LEAVE] = "barrier_leave";
    NAMES[SEM_POST] = "sem_post";
    NAMES[SEM_WAIT] = "sem_wait";
    NAMES[ONCE_DONE] = "once_done";
    NAMES[ONCE_PASS] = "once_pass";
    NAMES[COND_SIGNAL] = "cond_signal";
    NAMES[SYNC_DESTROY] = "sync_destroy";
    NAMES[DELAY] = "delay";
    NAMES[THREAD_BEGIN] = "thread_begin";
    NAMES[THREAD_CREATE] = "thread_create";
    NAMES[THREAD_END] = "thread_end";
    NAMES[THREAD_JOIN] = "thread_join";
    NAMES[THREAD_DETACH] = "thread_detach";
    NAMES[PROCESS_BEGIN] = "process_begin";
    NAMES[PROCESS_FORK] = "process_fork";
    NAMES[PROCESS_EXEC] = "process_exec";
    NAMES[PROCESS_EXIT] = "process_exit";
    NAMES[MAP] = "map";
    NAMES[UNMAP] = "unmap";
    NAMES[PM_RANGE] = "pm_range";
    NAMES[ALLOC] = "alloc";
    NAMES[FREE] = "free";
    NAMES[TX_BEGIN] = "tx_begin";
    NAMES[TX_COMMIT] = "tx_commit";
    NAMES[TX_ABORT] = "tx_abort";
    NAMES[TX_END] = "tx_end";
    NAMES[TX_ADD] = "tx_add";
    NAMES[LIBRARY_ENTER] = "library_enter";
    NAMES[LIBRARY_LEAVE] = "library_leave";
    NAMES[ROI_BEGIN] = "roi_begin";
    NAMES[ROI_END] = "roi_end";
    NAMES[RELAXED_BEGIN] = "relaxed_begin";
    NAMES[RELAXED_END] = "relaxed_end";
    NAMES[FAILURE_POINT] = "failure_point";
    NAMES[SKIP_FAILURES_BEGIN] = "skip_failures_begin";
    NAMES[SKIP_FAILURES_END] = "skip_failures_end";
    NAMES[SKIP_DETECTION_BEGIN] = "skip_detection_begin";
    NAMES[SKIP_DETECTION_END] = "skip_detection_end";
    NAMES[DETECTION_COMPLETE] = "detection_complete";
    NAMES[COMMIT_VAR] = "commit_var";
    NAMES[COMMIT_RANGE] = "commit_range";
    NAMES[SYNC_VAR] = "sync_var";
    NAMES[LABEL] = "label";
    NAMES[LABEL_UNION] = "label_union";
    NAMES[EFFECT] = "effect";
    NAMES[REGION_START] = "region_start";
  }

  private EventKind() {}

  /**
   * The name in the text form of a trace, e.g. {@code store_nt}; empty for a number that no kind
   * has.
   */
  public static String name(int kind) {
    String name = kind >= 0 && kind < NAMES.length ? NAMES[kind] : null;
    return name == null ? "" : name;
  }

  /** The kind of that name, or -1. */
  public static int byName(String name) {
    for (int i = 0; i < NAMES.length; i++) {
      if (name.equals(NAMES[i])) {
        return i;
      }
    }
    return -1;
  }
}
