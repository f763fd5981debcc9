package dev.perdure.detect.trace;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import java.util.List;
import java.util.Random;

/**
 * Random traces in which many accesses are announced some time before they are made: mostly as a
 * program would, sometimes across an acquire, with other bytes than are then accessed, or for
 * nothing.
 */
public final class AnnouncedTrace {
  private static final int FARTHEST = 40;

  private AnnouncedTrace() {}

  /** The trace of a seed, with announcements. */
  public static Trace of(long seed, int length) {
    List<Event> events = RandomTrace.of(seed, length).events();
    Random random = new Random(~seed);
    Trace trace = new Trace();
    for (int i = 0; i < events.size(); i++) {
      trace.add(events.get(i));
      int ahead = i + 1 + random.nextInt(FARTHEST);
      for (int j = i + 1; j < Math.min(ahead, events.size()); j++) {
        Event e = events.get(j);
        if (e.thread() == events.get(i).thread() && isAccess(e.kind()) && random.nextInt(4) == 0) {
          announce(trace.on(e.thread()), e, random);
        }
      }
    }
    return trace;
  }

  private static void announce(Trace trace, Event e, Random random) {
    boolean load = e.kind() == EventKind.LOAD || e.kind() == EventKind.LOAD_BLOCK;
    boolean block = e.kind() == EventKind.LOAD_BLOCK || e.kind() == EventKind.STORE_BLOCK;
    long length = block ? e.value() : e.size();
    int off = random.nextInt(6) == 0 ? random.nextInt(12) - 6 : 0;
    long address = Math.max(Math.min(e.address(), Trace.PM), e.address() + off);
    trace.announce(load != (random.nextInt(8) > 0), address, length);
  }

  private static boolean isAccess(int kind) {
    return switch (kind) {
      case EventKind.LOAD, EventKind.LOAD_BLOCK, EventKind.STORE, EventKind.STORE_BLOCK -> true;
      default -> false;
    };
  }
}
