package dev.perdure.model.region;

import java.util.List;

/** An access that may touch persistent memory, and the places where its region starts. */
public record AccessRegion(AccessKind kind, CodePlace place, List<CodePlace> starts) {
  public AccessRegion {
    starts = List.copyOf(starts);
  }
}
