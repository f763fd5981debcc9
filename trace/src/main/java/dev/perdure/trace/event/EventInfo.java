package dev.perdure.trace.event;

/**
 * What the info byte and the value say for kinds that are no plain accesses, as in perdure_trace.h.
 */
public final class EventInfo {
  public static final int RMW_OTHER = 0;
  public static final int RMW_EXCHANGE = 1;
  public static final int RMW_CAS = 2;

  public static final int FLUSH_CLWB = 0;
  public static final int FLUSH_CLFLUSHOPT = 1;
  public static final int FLUSH_CLFLUSH = 2;
  public static final int FLUSH_LIBRARY = 3;

  public static final int FENCE_SFENCE = 0;
  public static final int FENCE_MFENCE = 1;
  public static final int FENCE_LOCKED = 2;
  public static final int FENCE_LIBRARY_DRAIN = 3;
  public static final int FENCE_ACQUIRE = 4;
  public static final int FENCE_RELEASE = 5;
  public static final int FENCE_ACQ_REL = 6;

  public static final int REGION_LOAD = 0;
  public static final int REGION_STORE = 1;

  public static final int EFFECT_STORE = 0;
  public static final int EFFECT_FILE = 1;

  public static final int MAP_MEMORY = 0;
  public static final int MAP_FILE = 1;
  public static final int MAP_EMPTIED = 2;

  public static final int PERSIST_LIBRARY = 0;
  public static final int PERSIST_MSYNC = 1;
  public static final int PERSIST_FSYNC = 2;
  public static final int PERSIST_DEEP = 3;

  public static final int JOINED_PROCESS = 1;

  public static final int LOCK_SHARED = 1;
  public static final int LOCK_NO_FENCE = 2;

  public static final int LOCK_TRY = 4;

  /** The last holder had died with the lock: its end gave it free. */
  public static final int LOCK_OWNER_DIED = 8;

  /** Only in rings: an acquisition whose stamp was read when it was perhaps not yet complete. */
  public static final int LOCK_EARLY = 16;

  private EventInfo() {}
}
