package dev.perdure.cli;

import dev.perdure.detect.Detection;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which detectors to run, from the options. */
final class Analysis {
  private Analysis() {}

  static Detection of(ObservationOptions options) {
    return new Detection(
        new DetectionOptions(
            detectors(options.detect),
            options.domain(),
            !options.noInitRemoval,
            options.insideLibraries,
            options.regions(),
            options.starts()));
  }

  static Set<Detector> detectors(List<String> names) {
    if (names.isEmpty()) {
      return Detector.byDefault();
    }
    Set<Detector> chosen = EnumSet.noneOf(Detector.class);
    for (String name : names) {
      chosen.add(
          Detector.byLabel(name)
              .orElseThrow(
                  () -> CommandFailure.usage("--detect " + name + ": there are " + labels())));
    }
    return chosen;
  }

  private static String labels() {
    List<String> labels = new ArrayList<>();
    for (Detector d : Detector.values()) {
      labels.add(d.label());
    }
    return String.join(", ", labels);
  }
}
