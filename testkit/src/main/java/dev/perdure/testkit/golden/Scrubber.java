package dev.perdure.testkit.golden;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Replaces what differs from run to run and from machine to machine by fixed words. */
public final class Scrubber {
  /** Changes nothing. */
  public static final Scrubber NONE = new Scrubber(List.of());

  private final List<UnaryOperator<String>> steps;

  private Scrubber(List<UnaryOperator<String>> steps) {
    this.steps = List.copyOf(steps);
  }

  /** Addresses, times and thread numbers, as reports write them. */
  public static Scrubber ofReports() {
    return NONE.replacing("0x[0-9a-fA-F]{6,16}", "0xADDRESS")
        .replacing("\\b\\d+(\\.\\d+)? (ns|us|ms|s)\\b", "TIME")
        .replacing("\\b\\d{8}-\\d{6}(-\\d+)?\\b", "DATE")
        .replacing("\"(time|seconds|peakMemoryBytes|events)\": -?[0-9.E-]+", "\"$1\": 0")
        .replacing("\"thread\": \\d+", "\"thread\": 0")
        .replacing("\\bthread \\d+", "thread N");
  }

  /** Also replaces every match of a regular expression. */
  public Scrubber replacing(String regex, String replacement) {
    Pattern pattern = Pattern.compile(regex);
    return and(text -> pattern.matcher(text).replaceAll(replacement));
  }

  /** Also replaces a directory by a word. */
  public Scrubber replacing(Path directory, String word) {
    return and(text -> text.replace(directory.toString(), word));
  }

  private Scrubber and(UnaryOperator<String> step) {
    List<UnaryOperator<String>> all = new ArrayList<>(steps);
    all.add(step);
    return new Scrubber(all);
  }

  public String scrub(String text) {
    String scrubbed = text;
    for (UnaryOperator<String> step : steps) {
      scrubbed = step.apply(scrubbed);
    }
    return scrubbed;
  }
}
