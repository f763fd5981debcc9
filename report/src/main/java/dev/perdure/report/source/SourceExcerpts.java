package dev.perdure.report.source;

import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The source lines that findings name, kept so that a report needs no source files later. */
public record SourceExcerpts(Map<Key, String> lines) implements SourceLines {
  public static final SourceExcerpts NONE = new SourceExcerpts(Map.of());

  /** A line of a file. */
  public record Key(String file, int line) {}

  public SourceExcerpts {
    lines = Map.copyOf(lines);
  }

  /** Takes the line of every frame of the findings. */
  public static SourceExcerpts of(Collection<Finding> findings, SourceLines source) {
    Map<Key, String> lines = new HashMap<>();
    findings.stream()
        .flatMap(SourceExcerpts::places)
        .flatMap(
            place ->
                Stream.concat(place.site().frames().stream(), place.callers().frames().stream()))
        .forEach(
            frame ->
                source
                    .line(frame.file(), frame.line())
                    .ifPresent(text -> lines.put(new Key(frame.file(), frame.line()), text)));
    return new SourceExcerpts(lines);
  }

  private static Stream<Place> places(Finding finding) {
    return Stream.concat(
        finding.places().values().stream(),
        finding.otherStacks().values().stream().flatMap(List::stream));
  }

  @Override
  public Optional<String> line(String file, int line) {
    return Optional.ofNullable(lines.get(new Key(file, line)));
  }

  public Optional<String> line(Frame frame) {
    return line(frame.file(), frame.line());
  }
}
