package dev.perdure.report.region;

import dev.perdure.model.region.AccessRegion;
import dev.perdure.model.region.CodePlace;
import java.util.List;
import java.util.stream.Collectors;

/** One line an access: where it is, and where its region starts. */
public final class RegionsText {
  private RegionsText() {}

  public static String of(List<AccessRegion> accesses) {
    StringBuilder text = new StringBuilder();
    for (AccessRegion access : accesses) {
      text.append(
          "%-5s %s in %s, region from %s%n"
              .formatted(
                  access.kind().label(),
                  place(access.place()),
                  access.place().frame().function(),
                  access.starts().stream()
                      .map(RegionsText::place)
                      .collect(Collectors.joining(", "))));
    }
    return text.append(accesses.size())
        .append(accesses.size() == 1 ? " access" : " accesses")
        .append(System.lineSeparator())
        .toString();
  }

  private static String place(CodePlace place) {
    String line =
        place.frame().line() == 0 ? "" : place.frame().fileName() + ":" + place.frame().line();
    if (place.address().isEmpty()) {
      return line;
    }
    String address = "0x" + Long.toHexString(place.address().getAsLong());
    return line.isEmpty() ? address : address + " (" + line + ")";
  }
}
