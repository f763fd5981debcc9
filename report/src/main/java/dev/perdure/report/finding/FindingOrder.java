package dev.perdure.report.finding;

import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The order of reports: the surest first, then by kind, then by place. */
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
      int order = compare(frames(a, role), frames(b, role));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static List<Frame> frames(Finding finding, Role role) {
    Place place = finding.places().get(role);
    if (place == null) {
      return List.of();
    }
    List<Frame> frames = new ArrayList<>(place.site().frames());
    frames.addAll(place.callers().frames());
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
