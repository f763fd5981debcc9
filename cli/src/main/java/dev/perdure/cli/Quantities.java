package dev.perdure.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations such as {@code 60s} or {@code 1ms}, and sizes such as {@code 4G}. */
final class Quantities {
  private static final Pattern NUMBER = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]*)");

  private Quantities() {}

  static Duration duration(String option, String text) {
    Matcher m = NUMBER.matcher(text);
    double nanos =
        m.matches()
            ? switch (m.group(2)) {
              case "us" -> 1e3;
              case "ms" -> 1e6;
              case "", "s" -> 1e9;
              case "m" -> 60e9;
              case "h" -> 3600e9;
              default -> -1;
            }
            : -1;
    if (nanos < 0 || Double.parseDouble(m.group(1)) <= 0) {
      throw CommandFailure.usage(
          option + " " + text + ": a duration such as 500ms, 60s or 10m is wanted");
    }
    return Duration.ofNanos((long) (Double.parseDouble(m.group(1)) * nanos));
  }

  static long bytes(String option, String text) {
    Matcher m = NUMBER.matcher(text);
    double unit =
        m.matches()
            ? switch (m.group(2).toUpperCase(Locale.ROOT)) {
              case "", "B" -> 1;
              case "K", "KB", "KIB" -> 1 << 10;
              case "M", "MB", "MIB" -> 1 << 20;
              case "G", "GB", "GIB" -> 1 << 30;
              case "T", "TB", "TIB" -> 1L << 40;
              default -> -1;
            }
            : -1;
    if (unit < 0) {
      throw CommandFailure.usage(option + " " + text + ": a size such as 512M or 4G is wanted");
    }
    return (long) (Double.parseDouble(m.group(1)) * unit);
  }

  static void atLeastOne(String option, int value) {
    if (value < 1) {
      throw CommandFailure.usage(option + " " + value + ": at least 1 is wanted");
    }
  }
}
