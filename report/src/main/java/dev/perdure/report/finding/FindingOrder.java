package dev.perdure.report.finding;

import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * An order that does not change from run to run while the findings stay the same: the surest first,
 * then by kind, then by place. Ids are numbered in it; {@link FindingRanking} is that of reports.
 */
public final class FindingOrder {
  /** Total up to equality of everything that a report shows of the places. */
  public static final Comparator<Finding> INSTANCE =
      Comparator.comparing(Finding::level)
          .reversed()
          .thenComparing(Finding::kind)
          .thenComparing(FindingOrder::byPlaces);

  private static final Comparator<Frame> BY_FRAME =
      Comparator.comparing(Frame::fileName)
          .thenComparingInt(Frame::line)
          .thenComparing(Frame::function)
          .thenComparingLong(Frame::offset)
          .thenComparing(Frame::file)
          .thenComparing(Frame::module);

  private FindingOrder() {}

  private static int byPlaces(Finding a, Finding b) {
    for (Role role : Role.values()) {
      int order = compare(frames(a.place(role)), frames(b.place(role)));
      if (order != 0) {
        return order;
      }
    }
    return compare(
        frames(a.crash().map(CrashPoint::place)), frames(b.crash().map(CrashPoint::place)));
  }

  private static List<Frame> frames(Optional<Place> place) {
    List<Frame> frames = new ArrayList<>();
    if (place.isPresent()) {
      frames.addAll(place.get().site().frames());
      frames.addAll(place.get().callers().frames());
    }
    return frames;
  }

  private static int compare(List<Frame> a, List<Frame> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = BY_FRAME.compare(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }
}
