package dev.perdure.trace.live;

import dev.perdure.trace.format.Layout;
import java.util.List;

/**
 * What a recording is created with.
 *
 * @param ringSlots slots of each ring, a power of two
 * @param stackSlots room for interned call stacks, a power of two
 * @param clock {@link Layout#CLOCK_TSC} or {@link Layout#CLOCK_COUNTER}
 * @param pmPaths files and directories whose mappings are persistent memory
 */
public record RecordingSettings(
    int ringSlots, int stackSlots, int clock, long seed, List<String> pmPaths) {
  public static final int DEFAULT_RING_SLOTS = 65536;
  public static final int DEFAULT_STACK_SLOTS = 1 << 19;

  private static final int LARGEST_EVENT_SLOTS = 1 + Layout.BLOCK_MAX / Layout.Slot.SIZE;

  public RecordingSettings {
    if (Integer.bitCount(ringSlots) != 1 || Integer.bitCount(stackSlots) != 1) {
      throw new IllegalArgumentException("ring and stack slots are powers of two");
    }
    if (ringSlots < 2 * LARGEST_EVENT_SLOTS) {
      throw new IllegalArgumentException("a ring holds at least two of the largest events");
    }
    pmPaths = List.copyOf(pmPaths);
  }

  public static RecordingSettings defaults(int clock) {
    return new RecordingSettings(DEFAULT_RING_SLOTS, DEFAULT_STACK_SLOTS, clock, 1, List.of());
  }
}
