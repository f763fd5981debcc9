package dev.perdure.report.text;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.PmLibraries;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Folds what happened inside libraries for persistent memory: frames of a library that call each
 * other become one, with the function that the program called.
 */
public final class LibraryFrames {
  private static final String MARK = "[pm] ";

  private LibraryFrames() {}

  /** The report as a reader wants it who cares for the program and not for the libraries. */
  public static RunReport folded(RunReport report) {
    return report.with(report.findings().stream().map(LibraryFrames::folded).toList());
  }

  static boolean isFolded(Frame frame) {
    return frame.function().startsWith(MARK);
  }

  private static ReportedFinding folded(ReportedFinding reported) {
    Finding finding = reported.finding();
    Map<Role, Place> places = new EnumMap<>(Role.class);
    finding.places().forEach((role, place) -> places.put(role, folded(place)));
    Map<Role, List<Place>> others = new EnumMap<>(Role.class);
    finding
        .otherStacks()
        .forEach(
            (role, list) ->
                others.put(role, list.stream().map(LibraryFrames::folded).distinct().toList()));
    return reported.with(finding.with(places, others));
  }

  static Place folded(Place place) {
    List<Frame> callers = place.callers().frames();
    if (!PmLibraries.have(place.frame())) {
      return new Place(place.site(), new CallStack(folded(callers)));
    }
    List<Frame> all = new ArrayList<>(place.site().frames());
    all.addAll(callers);
    List<Frame> frames = folded(all);
    return new Place(
        new Site(frames.subList(0, 1)), new CallStack(frames.subList(1, frames.size())));
  }

  private static List<Frame> folded(List<Frame> frames) {
    List<Frame> folded = new ArrayList<>();
    for (int i = 0; i < frames.size(); i++) {
      Frame frame = frames.get(i);
      boolean inside = PmLibraries.have(frame);
      boolean callerInside = i + 1 < frames.size() && PmLibraries.have(frames.get(i + 1));
      if (!inside) {
        folded.add(frame);
      } else if (!callerInside) {
        folded.add(new Frame(MARK + frame.function(), "", 0).in(frame.module()));
      }
    }
    return folded;
  }
}
