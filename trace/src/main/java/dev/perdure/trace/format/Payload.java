package dev.perdure.trace.format;

import dev.perdure.trace.event.EventKind;

/** How many bytes an event carries behind its slot. */
public final class Payload {
  private static final int VARYING = -1;
  private static final byte[] LENGTHS = new byte[Layout.KIND_MASK + 1];

  static {
    LENGTHS[EventKind.RMW] = 32;
    LENGTHS[EventKind.MAP] = 32;
    LENGTHS[EventKind.COMMIT_RANGE] = 8;
    LENGTHS[EventKind.SYNC_VAR] = 8;
    LENGTHS[EventKind.EFFECT] = 8;
    LENGTHS[EventKind.STORE_BLOCK] = VARYING;
    LENGTHS[EventKind.STORE_NT_BLOCK] = VARYING;
  }

  private Payload() {}

  /** Whether events of the kind can have a payload. */
  public static boolean possible(int kind) {
    return LENGTHS[kind] != 0;
  }

  /**
   * The payload's length, or -1 where the value names a length that no event can have. Only block
   * stores have payloads of varying length.
   */
  public static int length(int kind, long value) {
    int length = LENGTHS[kind];
    if (length != VARYING) {
      return length;
    }
    return value >= 0 && value <= Layout.BLOCK_MAX ? (int) value : -1;
  }

  /** The slots that a payload of that length takes in a ring. */
  public static int slots(int length) {
    return (length + Layout.Slot.SIZE - 1) / Layout.Slot.SIZE;
  }
}
