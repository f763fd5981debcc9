package dev.perdure.cli;

import dev.perdure.model.code.Frame;
import dev.perdure.model.config.FlushFunctions;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The project's own flush functions stand for all that happens in them. Where Perdure sees through
 * one, its flushes and fences come twice: once with its call, once by themselves, and these are not
 * needless for that.
 */
record NamedFlushes(FlushFunctions functions) {
  private static final Set<FindingKind> NEEDLESS =
      Set.of(FindingKind.REDUNDANT_FLUSH, FindingKind.REDUNDANT_FENCE);

  /** The findings without those on operations inside the functions. */
  List<Finding> outside(List<Finding> findings) {
    return findings.stream()
        .filter(
            f ->
                !NEEDLESS.contains(f.kind()) || f.place(Role.PERSIST).stream().noneMatch(this::has))
        .toList();
  }

  private boolean has(Place place) {
    return Stream.concat(place.site().frames().stream(), place.callers().frames().stream())
        .map(Frame::function)
        .anyMatch(functions::names);
  }
}
