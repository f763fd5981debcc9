package dev.perdure.report.finding;

import dev.perdure.model.code.Frame;
import dev.perdure.model.config.FramePattern;
import dev.perdure.model.config.Suppression;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The suppressions of a project. Those that take a finding out of the report go before those that
 * only mark it as benign; within each, the first that covers it speaks.
 */
public final class Suppressions {
  private final List<Suppression> all;

  public Suppressions(List<Suppression> all) {
    this.all = List.copyOf(all);
  }

  /** The reason for which a finding is taken out of the report. */
  public Optional<String> suppressed(String id, Finding finding) {
    return reason(id, finding, false);
  }

  /** The reason for which a finding does not count, though it is shown. */
  public Optional<String> benign(String id, Finding finding) {
    return reason(id, finding, true);
  }

  /** Those of the project that cover none of the findings. */
  public List<Suppression> unused(Collection<Numbered> findings) {
    List<Suppression> unused = new ArrayList<>();
    for (Suppression s : all) {
      if (!s.shipped() && findings.stream().noneMatch(f -> covers(s, f.id(), f.finding()))) {
        unused.add(s);
      }
    }
    return unused;
  }

  /** A finding with its id. */
  public record Numbered(String id, Finding finding) {}

  private Optional<String> reason(String id, Finding finding, boolean benign) {
    return all.stream()
        .filter(s -> s.benign() == benign && covers(s, id, finding))
        .map(Suppression::reason)
        .findFirst();
  }

  private static boolean covers(Suppression s, String id, Finding finding) {
    return s.kind().map(kind -> kind == finding.kind()).orElse(true)
        && s.id().map(wanted -> wanted.equalsIgnoreCase(id)).orElse(true)
        && s.roles().entrySet().stream()
            .allMatch(
                role ->
                    finding
                        .place(role.getKey())
                        .map(place -> matches(role.getValue(), place.site().frames().stream()))
                        .orElse(false))
        && s.any().map(pattern -> matches(pattern, frames(finding))).orElse(true);
  }

  private static boolean matches(FramePattern pattern, Stream<Frame> frames) {
    return frames.anyMatch(pattern::matches);
  }

  private static Stream<Frame> frames(Finding finding) {
    return Stream.concat(
            finding.places().values().stream(),
            finding.otherStacks().values().stream().flatMap(List::stream))
        .flatMap(Suppressions::frames);
  }

  private static Stream<Frame> frames(Place place) {
    return Stream.concat(place.site().frames().stream(), place.callers().frames().stream());
  }
}
