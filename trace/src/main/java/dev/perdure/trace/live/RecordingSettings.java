package dev.perdure.trace.live;

import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.format.Layout;
import java.util.List;

/**
 * What a recording is created with.
 *
 * @param ringSlots slots of each ring, a power of two
 * @param stackSlots room for interned call stacks, a power of two
 * @param clock {@link Layout#CLOCK_TSC} or {@link Layout#CLOCK_COUNTER}
 * @param pmPaths files and directories whose mappings are persistent memory
 * @param views paths that lead to files of the target's own
 * @param places where PM files are to be mapped; known by their paths, whether they exist or not
 * @param libraryChanges whether the stores of PM libraries are recorded
 * @param libraryLoads whether plain loads inside PM libraries are recorded
 * @param sample of the loads of each thread, one of so many is recorded
 */
public record RecordingSettings(
    int ringSlots,
    int stackSlots,
    int clock,
    long seed,
    List<String> pmPaths,
    List<PrivateView> views,
    List<PmFile> places,
    boolean libraryChanges,
    boolean libraryLoads,
    long sample) {
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
    views = List.copyOf(views);
    places = List.copyOf(places);
  }

  public RecordingSettings(
      int ringSlots, int stackSlots, int clock, long seed, List<String> pmPaths) {
    this(ringSlots, stackSlots, clock, seed, pmPaths, List.of(), List.of(), false, true, 1);
  }

  /** The flags of the recording's header. */
  int flags() {
    return (libraryChanges ? Layout.FLAG_LIBRARY_CHANGES : 0)
        | (libraryLoads ? Layout.FLAG_LIBRARY_LOADS : 0);
  }

  public static RecordingSettings defaults(int clock) {
    return new RecordingSettings(DEFAULT_RING_SLOTS, DEFAULT_STACK_SLOTS, clock, 1, List.of());
  }
}
