package dev.perdure.trace.format;

import dev.perdure.trace.event.EventKind;

/** How many bytes an event carries behind its slot. */
public final class Payload {
  private Payload() {}

  /**
   * The payload's length, or -1 where the value names a length that no event can have. Only block
   * stores have payloads of varying length.
   */
  public static int length(int kind, long value) {
    return switch (kind) {
      case EventKind.RMW, EventKind.MAP -> 32;
      case EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK ->
          value >= 0 && value <= Layout.BLOCK_MAX ? (int) value : -1;
      case EventKind.COMMIT_RANGE, EventKind.SYNC_VAR -> 8;
      default -> 0;
    };
  }

  /** The slots that a payload of that length takes in a ring. */
  public static int slots(int length) {
    return (length + Layout.Slot.SIZE - 1) / Layout.Slot.SIZE;
  }
}
