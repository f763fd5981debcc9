package dev.perdure.cli;

import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import java.util.ArrayList;
import java.util.List;

/** The command line that makes the findings of an observation once more. */
final class Reproduction {
  private Reproduction() {}

  static String of(ObservationOptions options, List<String> command) {
    List<String> words =
        new ArrayList<>(List.of("perdure", "run", "--seed", String.valueOf(options.seed)));
    options.pm.forEach(p -> words.addAll(List.of("--pm", p.toString())));
    if (!options.model.equals("adr")) {
      words.addAll(List.of("--model", options.model));
    }
    if (options.regions() != RegionExtent.PIFR) {
      words.addAll(List.of("--regions", options.regions));
    }
    if (options.starts() != RegionStart.LOOKBACK) {
      words.addAll(List.of("--starts", options.starts));
    }
    addOption(words, "--sample", options.sample);
    addOption(words, "--delay", options.delay);
    addOption(words, "--decay", options.decay);
    if (!options.detect.isEmpty()) {
      words.addAll(List.of("--detect", String.join(",", options.detect)));
    }
    if (options.runs > 1) {
      words.addAll(List.of("--runs", String.valueOf(options.runs)));
    }
    words.add("--");
    words.addAll(command);
    return ShellWords.join(words);
  }

  private static void addOption(List<String> words, String name, String value) {
    if (value != null) {
      words.addAll(List.of(name, value));
    }
  }
}
