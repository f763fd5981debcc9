package dev.perdure.fuzz.area;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A schedule as lines of text, for replaying: {@code key value}, and a line for each sync point.
 */
public final class ScheduleText {
  private ScheduleText() {}

  public static String of(Schedule s) {
    StringBuilder text = new StringBuilder();
    text.append("strategy ").append(s.strategy()).append('\n');
    text.append("seed ").append(s.seed()).append('\n');
    text.append("writer-wait ").append(s.writerWait().toNanos()).append('\n');
    text.append("reader-wait ").append(s.readerWait().toNanos()).append('\n');
    text.append("longest-delay ").append(s.longestDelay().toNanos()).append('\n');
    text.append("same-word ").append(s.waits().number()).append('\n');
    s.changePoints().forEach(p -> text.append("change ").append(p).append('\n'));
    for (SyncPoint p : s.points()) {
      text.append(p.load() ? "load " : "store ").append(p.site()).append(' ').append(p.skip());
      text.append('\n');
    }
    return text.toString();
  }

  /**
   * Reads what was written.
   *
   * @throws IllegalArgumentException with the line that cannot be read
   */
  public static Schedule parse(String text) {
    Map<String, Long> numbers = new HashMap<>();
    List<Long> changes = new ArrayList<>();
    List<SyncPoint> points = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ");
      try {
        switch (words[0]) {
          case "change" -> changes.add(Long.parseLong(words[1]));
          case "load", "store" ->
              points.add(
                  new SyncPoint(
                      Integer.parseInt(words[1]),
                      words[0].equals("load"),
                      Integer.parseInt(words[2])));
          default -> numbers.put(words[0], Long.parseLong(words[1]));
        }
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new IllegalArgumentException("cannot read the line '" + line + "'", e);
      }
    }
    return new Schedule(
        numbers.getOrDefault("strategy", 0L).intValue(),
        numbers.getOrDefault("seed", 1L),
        Duration.ofNanos(numbers.getOrDefault("writer-wait", 0L)),
        Duration.ofNanos(numbers.getOrDefault("reader-wait", 0L)),
        Duration.ofNanos(numbers.getOrDefault("longest-delay", 0L)),
        Waits.byNumber(numbers.getOrDefault("same-word", 0L)),
        changes,
        points);
  }
}
