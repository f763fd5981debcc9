package dev.perdure.cli;

import dev.perdure.model.code.Frame;
import dev.perdure.model.region.AccessKind;
import dev.perdure.model.region.AccessRegion;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The places in the code that loaded from persistent memory, or stored there, in a run. */
final class TouchedPlaces {
  /** A line of a function, or where there is none, an offset in it. */
  private record Place(String function, String file, int line, long offset) {
    static Place of(Frame frame) {
      return frame.line() == 0
          ? new Place(frame.function(), "", 0, frame.offset())
          : new Place(frame.function(), frame.fileName(), frame.line(), Frame.NO_OFFSET);
    }
  }

  private final Map<AccessKind, Set<Place>> places = new EnumMap<>(AccessKind.class);

  private TouchedPlaces() {}

  /** Those of the trace in a run directory. */
  static TouchedPlaces of(Path run) throws IOException {
    Path file = run.resolve("trace");
    if (!Files.isRegularFile(file)) {
      throw CommandFailure.usage(run + ": this is no run directory with a trace");
    }
    Map<AccessKind, Set<Integer>> sites = new EnumMap<>(AccessKind.class);
    for (AccessKind kind : AccessKind.values()) {
      sites.put(kind, new HashSet<>());
    }
    TouchedPlaces touched = new TouchedPlaces();
    try (TraceFile trace = TraceFile.open(file)) {
      Event event = new Event();
      while (trace.next(event)) {
        if (loads(event.kind())) {
          sites.get(AccessKind.LOAD).add(event.site());
        }
        if (stores(event.kind())) {
          sites.get(AccessKind.STORE).add(event.site());
        }
      }
      sites.forEach(
          (kind, numbers) -> {
            Set<Place> all = new HashSet<>();
            numbers.forEach(n -> all.add(Place.of(trace.site(n).innermost())));
            touched.places.put(kind, all);
          });
    }
    return touched;
  }

  private static boolean loads(int kind) {
    return switch (kind) {
      case EventKind.LOAD, EventKind.LOAD_BLOCK, EventKind.RMW, EventKind.CAS_FAILED -> true;
      default -> false;
    };
  }

  private static boolean stores(int kind) {
    return switch (kind) {
      case EventKind.STORE,
          EventKind.STORE_NT,
          EventKind.STORE_BLOCK,
          EventKind.STORE_NT_BLOCK,
          EventKind.RMW ->
          true;
      default -> false;
    };
  }

  /** Whether the access is among them. */
  boolean has(AccessRegion access) {
    return places.get(access.kind()).contains(Place.of(access.place().frame()));
  }
}
